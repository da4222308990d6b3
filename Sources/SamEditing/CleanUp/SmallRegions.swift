import SamImageIO

extension MaskRuns {
  /// The mask without small holes and islands, as SAM's mask generator does it; nil where there are none.
  ///
  /// Holes are filled first. Both are connected by sides and corners, and a part of the background is a
  /// hole wherever it lies. Where every island is small the largest stays. Linear in the pixels.
  ///
  /// - Parameter area: Regions of fewer pixels are small.
  /// - Returns: A mask of the same size, or nil where no region is small.
  package func withoutSmallRegions(below area: Int) -> MaskRuns? {
    var pixels = image.pixels
    let filled = fillHoles(in: &pixels, below: area)
    let removed = removeIslands(in: &pixels, below: area)
    guard filled || removed else { return nil }
    return MaskRuns(PixelImage(width: width, height: height, channels: 1, pixels: pixels))
  }

  private func fillHoles(in pixels: inout [UInt8], below area: Int) -> Bool {
    let holes = MaskComponents(
      pixels, width: width, height: height, connectivity: .eight, flip: 255)
    let areas = holes.areas
    guard areas.contains(where: { $0 < area }) else { return false }
    for run in holes.runs where areas[Int(run.piece)] < area {
      set(run, in: &pixels, to: 255)
    }
    return true
  }

  private func removeIslands(in pixels: inout [UInt8], below area: Int) -> Bool {
    let islands = MaskComponents(pixels, width: width, height: height, connectivity: .eight)
    let areas = islands.areas
    guard areas.contains(where: { $0 < area }), let largest = areas.max() else { return false }
    // Of several largest the first stays.
    let stays = largest < area ? areas.firstIndex(of: largest) : nil
    for run in islands.runs
    where areas[Int(run.piece)] < area && Int(run.piece) != stays {
      set(run, in: &pixels, to: 0)
    }
    return true
  }

  private func set(_ run: MaskComponents.Run, in pixels: inout [UInt8], to value: UInt8) {
    let first = Int(run.row) * width
    for x in run.columns { pixels[first + x] = value }
  }
}
