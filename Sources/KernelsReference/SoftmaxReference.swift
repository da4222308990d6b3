#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

func softmaxReference(
  _ values: UnsafeMutablePointer<Float>, _ rows: Int, _ count: Int, _ stride: Int
) {
  for row in 0..<rows { softmaxReference(values + row * stride, count) }
}

func softmaxReference(_ values: UnsafeMutablePointer<Float>, _ count: Int) {
  var largest = -Float.infinity
  for i in 0..<count where values[i] > largest { largest = values[i] }
  var sum = 0.0
  for i in 0..<count {
    values[i] = exp(values[i] - largest)
    sum += Double(values[i])
  }
  let scale = Float(1 / sum)
  for i in 0..<count { values[i] *= scale }
}

func columnExponentialsReference(
  _ values: UnsafeMutablePointer<Float>, _ rows: Int, _ columns: Int, _ stride: Int,
  _ maxima: UnsafeMutablePointer<Float>, _ sums: UnsafeMutablePointer<Float>
) {
  for c in 0..<columns {
    var largest = -Float.infinity
    for r in 0..<rows where values[r * stride + c] > largest { largest = values[r * stride + c] }
    var sum = 0.0
    for r in 0..<rows {
      values[r * stride + c] = exp(values[r * stride + c] - largest)
      sum += Double(values[r * stride + c])
    }
    maxima[c] = largest
    sums[c] = Float(sum)
  }
}

func groupedSoftmaxReference(
  _ values: UnsafeMutablePointer<Float>, _ rows: Int, _ groups: Int, _ width: Int, _ stride: Int
) {
  for r in 0..<rows {
    for i in 0..<width {
      let row = values + r * stride + i
      var largest = -Float.infinity
      for g in 0..<groups where row[g * width] > largest { largest = row[g * width] }
      var sum = 0.0
      for g in 0..<groups {
        row[g * width] = exp(row[g * width] - largest)
        sum += Double(row[g * width])
      }
      let scale = Float(1 / sum)
      for g in 0..<groups { row[g * width] *= scale }
    }
  }
}
