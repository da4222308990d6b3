import SamTensor
import Synchronization

/// How far a picture that does not fill its frame can be felt, layer by layer.
///
/// The frame is padded with zeros at the bottom or at the right. Past the picture's reach (convolutions carry it on by
/// their taps, attention by whole windows) a layer's values are the same for every picture of that shape. So they are
/// computed once, with the first such picture; later pictures compute only what they can reach and take the lines
/// just past it, which the next layer looks at, from there. The values are the same bits either way.
struct PictureReach {
  /// The padded side.
  enum Axis: Hashable, Sendable {
    case rows
    case columns
  }

  /// What is kept for one shape of picture: the lines past the reach, by layer.
  struct Lines: Sendable {
    fileprivate var byLayer: [String: FloatBuffer] = [:]
  }

  /// Names one shape of picture.
  struct Shape: Hashable, Sendable {
    let axis: Axis
    let lines: Int
  }

  let shape: Shape
  private(set) var lines: Lines
  /// Whether this picture is the first of its shape: it computes everything and its lines are kept.
  let isFirst: Bool
  /// Lines of the current map, from its beginning, that the picture can reach.
  private(set) var reach: Int

  /// nil where the picture fills the frame.
  init?(frame: FeatureMap, picture: MapExtent, known: (Shape) -> Lines?) {
    if picture.height < frame.height {
      shape = Shape(axis: .rows, lines: picture.height)
    } else if picture.width < frame.width {
      shape = Shape(axis: .columns, lines: picture.width)
    } else {
      return nil
    }
    reach = shape.lines
    let known = known(shape)
    isFirst = known == nil
    lines = known ?? Lines()
  }

  private func length(_ height: Int, _ width: Int) -> Int {
    shape.axis == .rows ? height : width
  }

  /// After a 3×3 convolution with padding 1 into a map of that size: output y sees input `stride · y − 1` to `+ 1`.
  mutating func convolve(stride: Int, height: Int, width: Int) {
    let lines = stride == 1 ? reach + 1 : reach / stride + 1
    reach = min(length(height, width), lines)
  }

  /// After attention in windows of that side.
  mutating func attend(window: Int, height: Int, width: Int) {
    reach = min(length(height, width), (reach + window - 1) / window * window)
  }

  /// What must be computed of a map of that size: everything for the first picture of a shape.
  func extent(height: Int, width: Int) -> MapExtent {
    guard !isFirst else { return MapExtent(height: height, width: width) }
    return shape.axis == .rows
      ? MapExtent(height: reach, width: width) : MapExtent(height: height, width: reach)
  }

  /// Keeps the `count` lines of `map` past the reach, or puts the kept ones there.
  mutating func settle(_ map: FeatureMap, _ layer: String, count: Int) {
    let end = min(length(map.height, map.width), reach + count)
    guard end > reach else { return }
    let floats = (end - reach) * map.channels
    let isRows = shape.axis == .rows
    let runs = isRows ? 1 : map.height
    let runFloats = isRows ? floats * map.width : floats
    let kept = lines.byLayer[layer] ?? FloatBuffer(count: runs * runFloats)
    for run in 0..<runs {
      let inMap = isRows ? map.pixel(reach, 0) : map.pixel(run, reach)
      let inStore = kept.pointer + run * runFloats
      if isFirst {
        inStore.update(from: inMap, count: runFloats)
      } else {
        inMap.update(from: inStore, count: runFloats)
      }
    }
    if isFirst { lines.byLayer[layer] = kept }
  }
}

/// The lines that an encoder keeps, for the shapes of picture that it met last.
final class PictureReachStore: Sendable {
  private let shapes = Mutex<[(shape: PictureReach.Shape, lines: PictureReach.Lines)]>([])

  /// Some 3 MB each for MobileSAM.
  private static let keptShapes = 8

  func lines(_ shape: PictureReach.Shape) -> PictureReach.Lines? {
    shapes.withLock { shapes in
      guard let i = shapes.firstIndex(where: { $0.shape == shape }) else { return nil }
      let found = shapes.remove(at: i)
      shapes.append(found)
      return found.lines
    }
  }

  /// Keeps the lines of a first picture that is done.
  func keep(_ reach: PictureReach) {
    guard reach.isFirst else { return }
    shapes.withLock { shapes in
      shapes.removeAll { $0.shape == reach.shape }
      if shapes.count >= Self.keptShapes { shapes.removeFirst() }
      shapes.append((reach.shape, reach.lines))
    }
  }
}
