/// Paint that depends only on the distance to the object's outline.
struct OutlinePaint: Sendable {
  /// What is done to a pixel outside the object.
  struct Coat: Sendable {
    /// Light: it adds to what is there, and what is bright stays within bounds.
    var light = Paint.zero
    /// Paint: it covers what is there and the light on it.
    var paint = Paint.zero
  }

  /// Entries a pixel: finer than 8-bit colours can tell.
  private static let resolution = 16

  private let table: [Coat]
  private let reach: Int

  /// - Parameters:
  ///   - reach: From this distance on nothing is done.
  ///   - coat: What is done at a distance from the outline, 0 and more.
  init(reach: Int, _ coat: (_ distance: Float) -> Coat) {
    self.reach = reach
    table = (0...(reach + 1) * Self.resolution).map { index in
      coat(Float(index) / Float(Self.resolution))
    }
  }

  /// Paints over what is there.
  ///
  /// - Parameters:
  ///   - map: Distances to the object, to at least `reach`.
  ///   - offset: How many rows the paint is moved down.
  /// - Returns: A stage that paints where the distance, read `offset` rows further up, is below `reach`.
  func stage(_ map: DistanceMap, offset: Int = 0) -> RowStage {
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
            let coat = table[Int(max(0, distance) * scale + 0.5)]
            let below = row[x]
            let lit = below + coat.light * ((255 - below) * (1 / 255))
            row[x] = RowStage.over(lit, coat.paint)
          }
        }
      }
    }
  }
}
