import Foundation

/// e^(−t²/2): a light's or a blur's strength at `t` standard deviations.
func gaussian(_ t: Float) -> Float { expf(-0.5 * t * t) }

/// 0 up to `a`, 1 from `b` on, and smooth between them.
func smoothStep(_ a: Float, _ b: Float, _ x: Float) -> Float {
  let t = min(1, max(0, (x - a) / (b - a)))
  return t * t * (3 - 2 * t)
}

/// Values of 0...255, rounded; in the low eight bits of each lane.
///
/// Added to 1.5 · 2²³ a number's last bits are its whole part: two instructions, where the conversion of a
/// vector to integers is a loop of calls.
@inline(__always)
func roundedBytes(_ values: SIMD4<Float>) -> SIMD4<UInt32> {
  unsafeBitCast(values + 12_582_912, to: SIMD4<UInt32>.self)
}
