/// Columns and rows of a mask's first and last pixels.
package struct PixelBox: Sendable, Hashable {
  package var x0: Int
  package var y0: Int
  package var x1: Int
  package var y1: Int

  package init(x0: Int, y0: Int, x1: Int, y1: Int) {
    self.x0 = x0
    self.y0 = y0
    self.x1 = x1
    self.y1 = y1
  }
}

/// Greedy suppression of boxes that overlap with a better one, as torchvision's `nms` does it.
package enum BoxSuppression {
  /// Indices of the boxes that stay, the best score first; equal scores keep their order.
  ///
  /// A box goes where its IoU with one that stays is above `limit`. Cost: O(boxes · boxes that stay).
  package static func kept(_ boxes: [PixelBox], scores: [Float], limit: Double) -> [Int] {
    var kept: [Int] = []
    var chosen: [(x0: Float, y0: Float, x1: Float, y1: Float, area: Float)] = []
    // Sorted is stable.
    for index in boxes.indices.sorted(by: { scores[$0] > scores[$1] }) {
      let box = boxes[index]
      let (x0, y0, x1, y1) = (Float(box.x0), Float(box.y0), Float(box.x1), Float(box.y1))
      let area = (x1 - x0) * (y1 - y0)
      let isCovered = chosen.contains { other in
        let width = max(0, min(x1, other.x1) - max(x0, other.x0))
        let height = max(0, min(y1, other.y1) - max(y0, other.y0))
        let common = width * height
        // Two boxes without area have no IoU; the comparison with it fails.
        return Double(common / (other.area + area - common)) > limit
      }
      if isCovered { continue }
      kept.append(index)
      chosen.append((x0, y0, x1, y1, area))
    }
    return kept
  }
}
