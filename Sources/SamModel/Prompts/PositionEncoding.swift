import Foundation
import SamTensor
import Synchronization

/// SAM's random Fourier features: sin and cos of 2π · (2c − 1) · G for a position c in 0...1.
final class PositionEncoding: Sendable {
  /// Channels: half sines, half cosines.
  let dimension: Int
  private let gaussian: [Float]
  private let grids = Mutex<[GridSize: FeatureMap]>([:])

  private struct GridSize: Hashable {
    let height: Int
    let width: Int
  }

  /// Grids that are kept: more shapes than a server meets at once, bounded all the same.
  private static let keptGrids = 8

  /// Key `pe_layer.positional_encoding_gaussian_matrix`, 2 × dimension/2.
  init(_ scope: WeightScope, dimension: Int) throws(ModelError) {
    self.dimension = dimension
    gaussian = try scope["pe_layer"].floats(
      "positional_encoding_gaussian_matrix", 2, dimension / 2)
  }

  /// Writes `dimension` floats for the position (x, y), each a share of the frame's long side.
  func write(x: Float, y: Float, to output: UnsafeMutablePointer<Float>) {
    let half = dimension / 2
    let (u, v) = (2 * x - 1, 2 * y - 1)
    gaussian.withUnsafeBufferPointer { gaussian in
      for i in 0..<half {
        let angle = 2 * Float.pi * (u * gaussian[i] + v * gaussian[half + i])
        output[i] = sin(angle)
        output[half + i] = cos(angle)
      }
    }
  }

  /// The encoding of every cell's centre: height × width × dimension; kept for the next picture of that shape.
  func grid(height: Int, width: Int, _ context: ComputeContext) -> FeatureMap {
    let size = GridSize(height: height, width: width)
    if let known = grids.withLock({ $0[size] }) { return known }
    let map = context.map(height: height, width: width, channels: dimension)
    let side = Float(max(height, width))
    context.parallel(height) { y in
      for x in 0..<width {
        write(x: (Float(x) + 0.5) / side, y: (Float(y) + 0.5) / side, to: map.pixel(y, x))
      }
    }
    grids.withLock { grids in
      if grids.count >= Self.keptGrids { grids.removeAll() }
      grids[size] = map
    }
    return map
  }
}
