extension OutlinePolygon {
  /// The piece as one closed line, for formats that know no holes.
  ///
  /// The line runs along a cut without width to each hole, round it, and back the same way: filled by
  /// either rule it covers the piece without its holes.
  public var singleRing: [OutlinePoint] {
    joined(outer.points, with: holes.map(\.points))
  }
}

extension MaskOutline {
  /// All pieces and holes as one closed line; empty for an empty mask.
  ///
  /// Pieces are joined as holes are, by cuts without width; filled by the even-odd rule it covers the
  /// mask.
  public var singleRing: [OutlinePoint] {
    guard let first = polygons.first else { return [] }
    let others = first.holes.map(\.points) + polygons.dropFirst().map(\.singleRing)
    return joined(first.outer.points, with: others)
  }
}

/// One line that leaves `ring` at a point near each of the others, goes round it, and comes back.
///
/// For each of the others some points of `ring` are looked at, 2048 or, with more than ten thousand others,
/// fewer: linear in all of the points.
private func joined(_ ring: [OutlinePoint], with others: [[OutlinePoint]]) -> [OutlinePoint] {
  guard !others.isEmpty else { return ring }
  let looks = min(2048, max(16, 20_000_000 / others.count))
  let step = max(1, ring.count / looks)
  var detours = [[Int]](repeating: [], count: ring.count)
  var entries: [Int] = []
  for (number, other) in others.enumerated() {
    // From its leftmost point it is never far to the line round it.
    let entry = other.indices.min { other[$0].x < other[$1].x } ?? 0
    let nearest = stride(from: 0, to: ring.count, by: step).min {
      squaredDistance(ring[$0], other[entry]) < squaredDistance(ring[$1], other[entry])
    }
    entries.append(entry)
    detours[nearest ?? 0].append(number)
  }
  var line: [OutlinePoint] = []
  for index in ring.indices {
    line.append(ring[index])
    for number in detours[index] {
      let other = others[number]
      line += other[entries[number]...]
      line += other[...entries[number]]
      line.append(ring[index])
    }
  }
  return line
}

private func squaredDistance(_ a: OutlinePoint, _ b: OutlinePoint) -> Double {
  (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)
}
