/// What two masks of one picture have in common, and where the first is wrong.
package struct MaskComparison: Sendable {
  /// Pixels inside both.
  package let intersection: Int
  /// Pixels inside either.
  package let union: Int
  /// Inside the truth, not inside the mask.
  package let missed: BinaryMask
  /// Inside the mask, not inside the truth.
  package let wrong: BinaryMask

  /// Cost: one pass.
  package init(_ mask: BinaryMask, truth: BinaryMask) {
    precondition(
      mask.width == truth.width && mask.height == truth.height,
      "masks of different pictures cannot be compared")
    let count = mask.bytes.count
    var intersection = 0
    var union = 0
    var wrong: [UInt8] = []
    let missed = [UInt8](unsafeUninitializedCapacity: count) { missed, used in
      wrong = [UInt8](unsafeUninitializedCapacity: count) { wrong, used in
        mask.bytes.withUnsafeBufferPointer { mask in
          truth.bytes.withUnsafeBufferPointer { truth in
            for i in 0..<count {
              missed[i] = truth[i] & ~mask[i]
              wrong[i] = mask[i] & ~truth[i]
              intersection += Int(mask[i] & truth[i])
              union += Int(mask[i] | truth[i])
            }
          }
        }
        used = count
      }
      used = count
    }
    self.intersection = intersection
    self.union = union
    self.missed = BinaryMask(width: mask.width, height: mask.height, bytes: missed)
    self.wrong = BinaryMask(width: mask.width, height: mask.height, bytes: wrong)
  }

  /// Intersection over union, 0...1; 0 for two empty masks: an object that is not there was not
  /// found.
  package var iou: Double { Double(intersection) / Double(max(1, union)) }
}
