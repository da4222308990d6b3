/// Every dimension of a network, once.
package struct NetworkConfiguration: Sendable {
  /// `mobile-sam` or `samswift-lite`.
  package let name: String
  /// Long side of the frame.
  package let frameSize: Int
  /// nil pads to a square.
  package let padMultiple: Int?
  /// Frame pixels per logit: 4.
  package let maskStride: Int
}
