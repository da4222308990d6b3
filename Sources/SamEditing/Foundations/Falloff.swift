import Foundation

/// e^(−t²/2): a light's or a blur's strength at `t` standard deviations.
func gaussian(_ t: Float) -> Float { expf(-0.5 * t * t) }

/// 0 up to `a`, 1 from `b` on, and smooth between them.
func smoothStep(_ a: Float, _ b: Float, _ x: Float) -> Float {
  let t = min(1, max(0, (x - a) / (b - a)))
  return t * t * (3 - 2 * t)
}
