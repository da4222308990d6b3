/// What a kernel applies to each result before it is stored.
@frozen
public enum Activation: Int, Sendable, CaseIterable {
  /// The value itself.
  case none
  /// `max(x, 0)`.
  case relu
  /// `min(max(x, 0), 6)`.
  case relu6
  /// `x · Φ(x)` with the exact normal distribution (erf), not the tanh approximation.
  case gelu
}
