import KernelInterface

/// `x · Φ(x)`, the exact GELU, in every lane.
///
/// `Φ(x) = 1/2 + x · R(x²)` with a quotient of polynomials of degree 4 and 5: the minimax fit of
/// `(Φ(x) − 1/2) / x` on `|x| ≤ 5.16` by Tools/kernels/fit_vector_math.py, weighted for the error of
/// the product, which is at most `2.5e-7 · max(1, |x|)`. All coefficients are positive, so nothing
/// cancels. Beyond 5.16 the quotient stays what it is there and the clamp to [0, 1] takes over:
/// exactly `x` or `−0` from `|x| = 6` on. NaN gives NaN, and so does `−∞` (`−∞ · 0`), as in the
/// definition.
///
/// A polynomial of degree 12 is as accurate and needs no division, but costs 5 more products: on
/// Zen 5 it took 8.9 cycles a vector of 16 (in two Horner chains; 9.9 in one) and this takes 7.3.
@_transparent
public func geluVector<V: KernelVector>(_ x: V) -> V {
  let u = (x * x).lowered(to: V(repeating: 26.6256))
  var numerator = V.multiplyAdd(V(repeating: 11.62553596496582), u, V(repeating: 622.5714721679688))
  var denominator = u + V(repeating: 224.09088134765625)
  numerator = V.multiplyAdd(numerator, u, V(repeating: 10826.529296875))
  denominator = V.multiplyAdd(denominator, u, V(repeating: 5323.73681640625))
  numerator = V.multiplyAdd(numerator, u, V(repeating: 97573.2890625))
  denominator = V.multiplyAdd(denominator, u, V(repeating: 73357.015625))
  numerator = V.multiplyAdd(numerator, u, V(repeating: 779951.6875))
  denominator = V.multiplyAdd(denominator, u, V(repeating: 570404.5))
  denominator = V.multiplyAdd(denominator, u, V(repeating: 1955052.625))
  let phi = V.multiplyAdd(numerator / denominator, x, V(repeating: 0.5))
  // In this order: with the limit 1 last, LLVM turns it into a comparison and a masked move.
  return x * phi.lowered(to: V(repeating: 1)).raised(to: V(repeating: 0))
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
  case .relu: x.raised(to: V(repeating: 0))
  case .relu6: x.raised(to: V(repeating: 0)).lowered(to: V(repeating: 6))
  case .gelu: geluVector(x)
  }
}
