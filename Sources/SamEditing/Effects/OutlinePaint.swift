/// Paint that depends only on the distance to the object's outline.
struct OutlinePaint: Sendable {
  /// Entries a pixel: finer than 8-bit colours can tell.
  private static let resolution = 16

  private let table: [Paint]
  private let reach: Int

  /// - Parameters:
  ///   - reach: From this distance on there is no paint.
  ///   - paint: The paint at a distance from the outline, 0 and more.
  init(reach: Int, _ paint: (_ distance: Float) -> Paint) {
    self.reach = reach
    table = (0...(reach + 1) * Self.resolution).map { index in
      paint(Float(index) / Float(Self.resolution))
    }
  }

  /// Paints outside the object, over what is there.
  ///
  /// - Parameters:
  ///   - map: Distances to the object, to at least `reach`.
  ///   - offset: How many rows the paint is moved down.
  ///   - isLight: Light adds to what is there; paint covers it.
  func stage(_ map: DistanceMap, offset: Int = 0, isLight: Bool = false) -> RowStage {
    RowStage {
      let scratch = DistanceMap.RowScratch(map)
      let distances = Scratch<Float>(map.width)
      return { y, row in
        guard (0..<map.height).contains(y - offset) else { return }
        map.edgeDistances(ofRow: y - offset, into: distances.base, scratch)
        table.withUnsafeBufferPointer { table in
          let scale = Float(Self.resolution)
          let beyond = Float(reach)
          for x in 0..<map.width {
            let distance = distances.base[x]
            if distance >= beyond { continue }
            let paint = table[Int(max(0, distance) * scale + 0.5)]
            if isLight {
              // Screen: what is bright stays within bounds.
              let rest = (255 - row[x]) * (1 / 255)
              row[x] += paint * rest
            } else {
              row[x] = RowStage.over(row[x], paint)
            }
          }
        }
      }
    }
  }
}
