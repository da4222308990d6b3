import KernelInterface
import SamTensor

/// Turns the decoder's grid into a mask: the grid's own cells, the model's frame, or the picture.
///
/// Every size is cropped to the picture's shape. Rows are computed on demand and in parallel bands;
/// nothing but the result is ever held at its size, so that a picture of 48 megapixels costs
/// 48 million bytes and a few rows.
package struct MaskPostprocessor: Sendable {
  /// Where the picture lies in the frame.
  package let geometry: FrameGeometry
  private let kernels: KernelTable
  private let threads: Int

  /// Rows that one thread computes in one go: enough that the two source rows which a band computes
  /// anew do not matter, few enough that the smallest frame still fills several cores.
  private static let bandHeight = 64

  /// `threads` nil uses every core.
  package init(
    geometry: FrameGeometry, kernels: KernelTable = Kernels.current, threads: Int? = nil
  ) {
    self.geometry = geometry
    self.kernels = kernels
    self.threads = max(1, threads ?? Parallel.coreCount)
  }

  /// The size of a mask.
  package enum Size: Sendable {
    /// The decoder's cells: `ceil(resized / maskStride)` a side.
    case grid
    /// The resized picture inside the model's frame.
    case frame
    /// The picture.
    case picture
    /// Any size, sampled straight from the grid.
    case custom(width: Int, height: Int)
  }

  /// Columns and rows of a mask of a given size.
  package func extent(_ size: Size) -> (width: Int, height: Int) {
    let stride = geometry.maskStride
    switch size {
    case .grid:
      return (
        (geometry.resizedWidth + stride - 1) / stride,
        (geometry.resizedHeight + stride - 1) / stride
      )
    case .frame: return (geometry.resizedWidth, geometry.resizedHeight)
    case .picture: return (geometry.imageWidth, geometry.imageHeight)
    case .custom(let width, let height): return (width, height)
    }
  }

  /// The mask as bytes, `round(255 · sigmoid(logit))`, row-major.
  package func bytes(_ grid: LogitGrid, size: Size) -> [UInt8] {
    let width = extent(size).width
    return bytes(size) { base in
      forEachRow(grid, size: size) { y, row in
        kernels.sigmoidBytes(row, base.pointer + y * width, width)
      }
    }
  }

  /// The same, with each row of logits changed first: `refine` reads `row` and fills `output`.
  package func bytes(
    _ grid: LogitGrid, size: Size,
    refine:
      @Sendable (
        _ y: Int, _ row: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>
      ) -> Void
  ) -> [UInt8] {
    let width = extent(size).width
    return bytes(size) { base in
      forEachRow(grid, size: size) { y, row in
        withUnsafeTemporaryAllocation(of: Float.self, capacity: width) { scratch in
          guard let output = scratch.baseAddress else { return }
          refine(y, row, output)
          kernels.sigmoidBytes(output, base.pointer + y * width, width)
        }
      }
    }
  }

  /// Bytes of a mask's size that `fill` initialises.
  private func bytes(_ size: Size, fill: (SendablePointer<UInt8>) -> Void) -> [UInt8] {
    let (width, height) = extent(size)
    return [UInt8](unsafeUninitializedCapacity: width * height) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      fill(SendablePointer(base))
      count = width * height
    }
  }

  /// The mask as logits, row-major.
  package func logits(_ grid: LogitGrid, size: Size) -> [Float] {
    let (width, height) = extent(size)
    return [Float](unsafeUninitializedCapacity: width * height) { buffer, count in
      guard let address = buffer.baseAddress else { return }
      let base = SendablePointer(address)
      forEachRow(grid, size: size) { y, row in
        (base.pointer + y * width).update(from: row, count: width)
      }
      count = width * height
    }
  }

  /// Calls `body` with every row of logits, several rows at the same time, in no particular order.
  package func forEachRow(
    _ grid: LogitGrid, size: Size,
    _ body: @Sendable (_ y: Int, _ row: UnsafePointer<Float>) -> Void
  ) {
    precondition(
      grid.width == geometry.gridWidth && grid.height == geometry.gridHeight
        && grid.values.count == grid.width * grid.height,
      "a grid of \(grid.width)×\(grid.height) does not belong to this frame")
    let height = extent(size).height
    let taps = Taps(geometry: geometry, size: size, extent: extent(size))
    let bands = (height + Self.bandHeight - 1) / Self.bandHeight
    grid.values.withUnsafeBufferPointer { values in
      guard let address = values.baseAddress else { return }
      let base = SendablePointer(UnsafeMutablePointer(mutating: address))
      Parallel.run(bands, threads: threads) { band in
        let reader = taps.reader(grid: base.pointer, gridWidth: grid.width, kernels: kernels)
        for y in band * Self.bandHeight..<min(height, (band + 1) * Self.bandHeight) {
          body(y, reader(y))
        }
      }
    }
  }

  /// The chain of resizes that leads from the grid to one size.
  private struct Taps: Sendable {
    private var stages: [(horizontal: BilinearTaps, vertical: BilinearTaps)] = []

    init(geometry: FrameGeometry, size: Size, extent: (width: Int, height: Int)) {
      let stride = Float(geometry.maskStride)
      func fromGrid(_ width: Int, _ height: Int) -> (BilinearTaps, BilinearTaps) {
        let scaleX = Float(geometry.resizedWidth) / Float(width) / stride
        let scaleY = Float(geometry.resizedHeight) / Float(height) / stride
        return (
          BilinearTaps(inputCount: geometry.gridWidth, count: width, scale: scaleX),
          BilinearTaps(inputCount: geometry.gridHeight, count: height, scale: scaleY)
        )
      }
      switch size {
      case .grid: break
      case .frame, .custom: stages = [fromGrid(extent.width, extent.height)]
      case .picture:
        let columns = PictureTaps.columns(geometry)
        let rows = PictureTaps.rows(geometry)
        stages = [(columns.toFrame, rows.toFrame), (columns.toPicture, rows.toPicture)]
      }
    }

    func reader(
      grid: UnsafeMutablePointer<Float>, gridWidth: Int, kernels: KernelTable
    ) -> (Int) -> UnsafePointer<Float> {
      var source: (Int) -> UnsafePointer<Float> = { UnsafePointer(grid + $0 * gridWidth) }
      for stage in stages {
        let rows = UpsampledRows(
          horizontal: stage.horizontal, vertical: stage.vertical, kernels: kernels, source: source)
        source = { rows.row($0) }
      }
      return source
    }
  }
}

/// A pointer that several threads may use because each writes rows of its own.
private struct SendablePointer<Element>: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<Element>

  init(_ pointer: UnsafeMutablePointer<Element>) { self.pointer = pointer }
}
