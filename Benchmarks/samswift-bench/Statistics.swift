/// What the timings of one benchmark come to.
struct Statistics: Codable {
  let iterations: Int
  let medianMs: Double
  let p90Ms: Double
  let minMs: Double
  /// (p90 − min) ÷ median, in percent: how noisy the machine was.
  let spreadPercent: Double

  init(_ milliseconds: [Double]) {
    let sorted = milliseconds.sorted()
    func quantile(_ share: Double) -> Double {
      guard let last = sorted.last else { return 0 }
      let position = share * Double(sorted.count - 1)
      let low = Int(position)
      return low + 1 < sorted.count
        ? sorted[low] + (sorted[low + 1] - sorted[low]) * (position - Double(low)) : last
    }
    iterations = sorted.count
    medianMs = quantile(0.5)
    p90Ms = quantile(0.9)
    minMs = quantile(0)
    spreadPercent = medianMs > 0 ? 100 * (p90Ms - minMs) / medianMs : 0
  }
}
