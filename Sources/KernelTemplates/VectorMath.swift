import KernelInterface

/// `x · Φ(x)`, the exact GELU, in every lane.
///
/// With `u = x² − 12.5`, `Φ(x) = 1/2 + x · Q(u)` where `Q` is a polynomial of degree 12: the minimax
/// fit of `(Φ(x) − 1/2) / x` on `|x| ≤ 5` by Tools/kernels/fit_vector_math.py, weighted for the
/// error of the product. Beyond 5 the polynomial grows past 1/2, so the clamp to [0, 1] gives the
/// result exactly (`x` or `−0`) from `|x| = 6` on, up to infinity; centring `u` keeps the
/// coefficients' cancellation harmless. Error at most `2.9e-7 · max(1, |x|)`. No division: on
/// AVX-512 hardware a quotient of two polynomials of equal accuracy took twice the time.
///
/// NaN gives NaN, and so does `−∞` (`−∞ · 0`), as in the definition.
@_transparent
public func geluVector<V: KernelVector>(_ x: V) -> V {
  let u = V.multiplyAdd(x, x, V(repeating: -12.5))
  // Horner: a caller has several vectors in flight, and Estrin's extra products cost issue slots.
  var q = V.multiplyAdd(
    V(repeating: 4.003753018975912e-17), u, V(repeating: -1.3650846505421348e-15))
  q = V.multiplyAdd(q, u, V(repeating: 1.9149958040750453e-14))
  q = V.multiplyAdd(q, u, V(repeating: -3.6779344218633436e-13))
  q = V.multiplyAdd(q, u, V(repeating: 1.0669282297925964e-11))
  q = V.multiplyAdd(q, u, V(repeating: -2.3320181896657743e-10))
  q = V.multiplyAdd(q, u, V(repeating: 4.304699707802229e-09))
  q = V.multiplyAdd(q, u, V(repeating: -7.629738973946587e-08))
  q = V.multiplyAdd(q, u, V(repeating: 1.2877497965746443e-06))
  q = V.multiplyAdd(q, u, V(repeating: -2.0705516362795606e-05))
  q = V.multiplyAdd(q, u, V(repeating: 0.0003297323128208518))
  q = V.multiplyAdd(q, u, V(repeating: -0.0056237089447677135))
  q = V.multiplyAdd(q, u, V(repeating: 0.14136378467082977))
  let phi = V.multiplyAdd(q, x, V(repeating: 0.5))
  return x * phi.raised(to: V.zero).lowered(to: V(repeating: 1))
}

/// `eˣ` in every lane, within 1 ulp with FMA and 1.2 ulp without.
///
/// `x = n · ln 2 + r`, `|r| ≤ ln 2 / 2`; `eʳ = 1 + r + r² · P(r)` with the minimax `P` of degree 4
/// from Tools/kernels/fit_vector_math.py; `2ⁿ` is made in the exponent bits. Below −87.68 the result
/// is 0 (nothing under the smallest normal numbers), above 88.37 it is infinite. NaN gives NaN.
@_transparent
public func expVector<V: KernelVector>(_ x: V) -> V {
  let x = x.raised(to: V(repeating: -88)).lowered(to: V(repeating: 89))
  // Adding 1.5 · 2²³ + 127 rounds to an integer and leaves n + 127, the biased exponent, in the low
  // bits: 0 for n = −127, which makes the factor zero, and 255 for n = 128, which makes it infinite.
  let magic = V(repeating: 12_583_039)
  let shifted = V.multiplyAdd(x, V(repeating: 1.442695), magic)
  let n = shifted - magic
  // ln 2 in two parts; the first has 9 bits, so that its product with n is exact.
  var r = V.multiplyAdd(n, V(repeating: -0.693359375), x)
  r = V.multiplyAdd(n, V(repeating: 2.1219444e-4), r)
  var p = V.multiplyAdd(V(repeating: 0.0013814523117616773), r, V(repeating: 0.008368744514882565))
  p = V.multiplyAdd(p, r, V(repeating: 0.04166839271783829))
  p = V.multiplyAdd(p, r, V(repeating: 0.1666652113199234))
  p = V.multiplyAdd(p, r, V(repeating: 0.4999999403953552))
  p = V.multiplyAdd(p, r, V(repeating: 1))
  p = V.multiplyAdd(p, r, V(repeating: 1))
  return p * shifted.bitsShiftedToExponent()
}

/// `activation` in every lane; NaN stays NaN.
///
/// Pass a constant, or switch outside the loop: the branch here is per vector.
@_transparent
public func activateVector<V: KernelVector>(_ x: V, _ activation: Activation) -> V {
  switch activation {
  case .none: x
  case .relu: x.raised(to: V.zero)
  case .relu6: x.raised(to: V.zero).lowered(to: V(repeating: 6))
  case .gelu: geluVector(x)
  }
}
