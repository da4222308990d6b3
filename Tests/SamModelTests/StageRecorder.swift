import SamModel
import SamTensor
import Synchronization

/// Every stage of one encode, copied while it lasts.
final class StageRecorder: Sendable {
  private let seen = Mutex<[String: ChannelMap]>([:])

  var observer: StageObserver {
    StageObserver(see: { [self] stage, map in
      let copy = ChannelMap(map)
      seen.withLock { $0[stage] = copy }
    })
  }

  subscript(stage: String) -> ChannelMap? { seen.withLock { $0[stage] } }
}

/// A map outside the network, to compare with tensors of channels × rows × columns.
struct ChannelMap: Sendable {
  let height: Int
  let width: Int
  let channels: Int
  /// Channels last.
  private let values: [Float]

  init(_ map: FeatureMap) {
    (height, width, channels) = (map.height, map.width, map.channels)
    values = map.values()
  }

  /// Channels × rows × columns, every `rowStep`-th row and `columnStep`-th column.
  func sampled(every rowStep: Int, _ columnStep: Int) -> [Float] {
    var result: [Float] = []
    for c in 0..<channels {
      for y in stride(from: 0, to: height, by: rowStep) {
        for x in stride(from: 0, to: width, by: columnStep) {
          result.append(values[(y * width + x) * channels + c])
        }
      }
    }
    return result
  }

  func sampled(every step: Int) -> [Float] { sampled(every: step, step) }

  /// Cells × channels, every `step`-th cell in row-major order.
  func cells(every step: Int) -> [Float] {
    stride(from: 0, to: height * width, by: step).flatMap {
      values[$0 * channels..<($0 + 1) * channels]
    }
  }
}

extension ImageEmbedding {
  /// The embedding as the reference keeps it.
  var map: ChannelMap { ChannelMap(features.embedding) }
}
