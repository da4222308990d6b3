import Foundation
import SamCheckpoint

/// Brings weights of either format into safetensors.
package enum WeightConversion {
  /// Converts a file.
  ///
  /// Without `type` every tensor keeps its bits. With it the floating-point tensors are rounded to
  /// nearest; integers stay. Memory: the mapped source and, where tensors are converted, the largest
  /// one. The source may be the target.
  ///
  /// - Throws: ``CheckpointError``; the target is then as it was.
  package static func convert(
    _ source: URL, to target: URL, as type: ElementType? = nil
  ) throws(CheckpointError) {
    let checkpoint = try CheckpointFile.open(source)
    var metadata = checkpoint.metadata
    // Python's libraries want to be told for which framework a file was written.
    if metadata["format"] == nil { metadata["format"] = "pt" }
    try SafetensorsWriter.write(checkpoint.tensors, metadata: metadata, to: target, as: type)
  }
}
