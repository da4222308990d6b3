/// What a thread's ring holds between two tiles.
struct RingState {
  var last: TilePlan.Tile?
  /// The first input row that is not in the ring yet.
  var nextRow = 0

  func continues(with tile: TilePlan.Tile) -> Bool {
    guard let last else { return false }
    return tile.x == last.x && tile.y == last.y + last.height
  }
}

/// How an inverted bottleneck is cut into tiles; the results are the same for any cut.
struct TilePlan: Sendable {
  struct Tile {
    let y: Int
    let x: Int
    let height: Int
    let width: Int
  }

  let scratch: Int
  let isFused: Bool
  private let bands: Int
  private let columns: Int
  private let part: MapExtent
  private let tileWidth: Int

  /// Floats that a tile's ring may take: half of a 1 MB second-level cache.
  private static let ringLimit = 1 << 17

  /// Floats of weights that may be read again for each column of a tile's row.
  private static let weightsPerColumn = 2560

  init(block: InvertedBottleneck, output: FeatureMap, part: MapExtent, threads: Int) {
    self.part = part
    let size = block.depthwise.size
    let channels = block.depthwise.channels
    let rowFloats = size * channels * block.stride
    let limit = max(8, Self.ringLimit / rowFloats / 8 * 8)
    columns = (part.width + limit - 1) / limit
    tileWidth = ((part.width + columns - 1) / columns + 7) / 8 * 8
    // Some tiles for each thread, so that one that is held up can be helped out.
    bands = min(part.height, 8 * threads)
    let ringRow = ((tileWidth - 1) * block.stride + size) * channels + ComputeContext.cacheLine
    scratch = size * ringRow + tileWidth * channels
    // Otherwise it is better to join the threads between the expansion and the rest: where each of them would
    // widen more than an eighth of its rows again, and where rows are too short for what is read for each.
    let again = (threads - 1) * (size - block.stride)
    let weights = channels * ((block.expand?.inner ?? 0) + block.project.columns)
    isFused =
      8 * again <= part.height * block.stride && weights <= Self.weightsPerColumn * tileWidth
  }

  var count: Int { bands * columns }

  func tile(_ index: Int) -> Tile {
    let (column, band) = index.quotientAndRemainder(dividingBy: bands)
    let y = band * part.height / bands
    let x = min(part.width, column * tileWidth)
    return Tile(
      y: y, x: x, height: (band + 1) * part.height / bands - y,
      width: min(tileWidth, part.width - x))
  }
}
