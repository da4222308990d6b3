/// A closed line with fewer points, none of the ones left out farther than `tolerance` from it.
///
/// Douglas and Peucker's method (1973) on the two halves between a point and the one farthest from
/// it. Chains of more than 2048 points are cut first, which keeps the time linear for any shape and
/// costs at most a point in 2048. nil where fewer than three points are left.
func simplified(_ ring: [Corner], tolerance: Double) -> [OutlinePoint]? {
  guard ring.count >= 3 else { return nil }
  func point(_ index: Int) -> OutlinePoint {
    OutlinePoint(x: Double(ring[index].x), y: Double(ring[index].y))
  }
  if tolerance == 0 { return ring.indices.map(point) }
  let first = farthest(from: 0, in: ring)
  let second = farthest(from: first, in: ring)
  // Indices beyond the end wrap round.
  let start = min(first, second)
  let middle = max(first, second)
  var kept = [Bool](repeating: false, count: ring.count)
  for chain in [start..<middle, middle..<start + ring.count] {
    var from = chain.lowerBound
    while from < chain.upperBound {
      let to = min(from + longestChain, chain.upperBound)
      keepCorners(of: ring, from: from, to: to, tolerance: tolerance, in: &kept)
      from = to
    }
  }
  let points = ring.indices.filter { kept[$0] }.map(point)
  return points.count >= 3 ? points : nil
}

private let longestChain = 2048

private func farthest(from index: Int, in ring: [Corner]) -> Int {
  var best = (index: index, square: -1)
  for other in ring.indices {
    let dx = Int(ring[other].x) - Int(ring[index].x)
    let dy = Int(ring[other].y) - Int(ring[index].y)
    let square = dx * dx + dy * dy
    if square > best.square { best = (other, square) }
  }
  return best.index
}

/// Marks the ends of a chain and the points between them that the line needs.
private func keepCorners(
  of ring: [Corner], from: Int, to: Int, tolerance: Double, in kept: inout [Bool]
) {
  kept[from % ring.count] = true
  kept[to % ring.count] = true
  var open = [(from, to)]
  ring.withUnsafeBufferPointer { ring in
    while let (from, to) = open.popLast() {
      guard to - from > 1 else { continue }
      let segment = Segment(ring[from % ring.count], ring[to % ring.count])
      var worst = (index: from, square: tolerance * tolerance)
      for index in from + 1..<to {
        let square = segment.squaredDistance(
          to: ring[index < ring.count ? index : index - ring.count])
        if square > worst.square { worst = (index, square) }
      }
      guard worst.index > from else { continue }
      kept[worst.index % ring.count] = true
      open.append((from, worst.index))
      open.append((worst.index, to))
    }
  }
}

private struct Segment {
  private let x: Double
  private let y: Double
  private let dx: Double
  private let dy: Double
  private let inverseSquare: Double

  init(_ a: Corner, _ b: Corner) {
    x = Double(a.x)
    y = Double(a.y)
    dx = Double(b.x) - x
    dy = Double(b.y) - y
    let square = dx * dx + dy * dy
    inverseSquare = square > 0 ? 1 / square : 0
  }

  func squaredDistance(to point: Corner) -> Double {
    let px = Double(point.x) - x
    let py = Double(point.y) - y
    let along = min(1, max(0, (px * dx + py * dy) * inverseSquare))
    let ex = px - along * dx
    let ey = py - along * dy
    return ex * ex + ey * ey
  }
}
