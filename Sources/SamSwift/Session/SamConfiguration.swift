/// How a session computes.
public struct SamConfiguration: Sendable, Hashable {
  /// The number format of the network's matrix products.
  public enum Precision: String, Sendable, Hashable, CaseIterable {
    /// bfloat16 where the CPU computes with it natively, float32 elsewhere.
    ///
    /// Decided by measurement: the encoder takes 0.6 to 0.7 of its time in float32, and on 312 objects of 60 photographs
    /// Lite's masks have a mean IoU of 0.995 (one click) to 0.998 (box) with those of float32.
    case automatic = "auto"
    /// float32 everywhere: the numbers of the PyTorch reference.
    case float32 = "f32"
    /// bfloat16 products with float32 sums.
    case bfloat16 = "bf16"
  }

  /// Threads that one call may use; nil is the machine's core count.
  ///
  /// Results do not depend on it.
  public var threads: Int?

  /// The number format of the network's matrix products.
  public var precision: Precision

  /// Creates a configuration.
  public init(threads: Int? = nil, precision: Precision = .automatic) {
    self.threads = threads
    self.precision = precision
  }

  /// Every core and the fastest number format of this machine.
  public static let bestAvailable = SamConfiguration()
}
