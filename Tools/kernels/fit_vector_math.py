#!/usr/bin/env python3
"""Fits the approximations of Sources/KernelTemplates/VectorMath.swift and prints them with their errors.

    python3 Tools/kernels/fit_vector_math.py

Needs numpy and scipy (made with 2.4.6 and 1.17.1). Both fits are minimax, found as linear programmes
over a dense grid; the errors printed beside them are those of the float32 evaluation, with fused products
(AVX) and without (SSE2).
"""

import numpy as np
from scipy.optimize import linprog
from scipy.special import ndtr

f32 = np.float32


def minimax(basis, target):
    """The coefficients that minimise max |basis @ c - target|, and that maximum."""
    scale = 1e6  # brings the residuals well above the solver's feasibility tolerance (1e-7)
    one = np.ones((len(target), 1))
    result = linprog(
        np.r_[np.zeros(basis.shape[1]), 1],
        A_ub=np.block([[basis * scale, -one], [-basis * scale, -one]]),
        b_ub=np.r_[target, -target] * scale,
        bounds=[(None, None)] * (basis.shape[1] + 1), method="highs")
    return result.x[:-1], result.x[-1] / scale


def product_add(a, b, c, fused):
    """a * b + c in float32, rounded once (fused) or twice."""
    a, b, c = f32(a), f32(b), f32(c)
    if not fused:
        return f32(a * b) + c
    return f32(a.astype(np.float64) * np.float64(b) + np.float64(c))


def horner(coefficients, u, fused):
    value = np.full_like(u, f32(coefficients[-1]))
    for c in coefficients[-2::-1]:
        value = product_add(value, u, c, fused)
    return value


# GELU: x · (1/2 + x · R(x²)), R the quotient that approximates (Φ(x) − 1/2) / x on |x| ≤ limit.

def fit_gelu(degrees, limit):
    """Numerator and denominator in x², the denominator's highest coefficient 1, and the error.

    For a given error e, |weight · (P − target · Q)| ≤ e · Q is linear in the coefficients of P and Q:
    the smallest e for which they exist is found by bisection.
    """
    centre = limit * limit / 2
    angle = np.pi * np.arange(1, 601) / 1200
    x = np.unique(np.r_[limit * (1 - np.cos(angle)), limit * np.sin(angle)])
    x = x[x > 1e-3]
    weight = np.minimum(x * x, x)  # |x · x · δR| / max(1, |x|) is the error of the GELU
    target = weight * (ndtr(x) - 0.5) / x
    u = (x * x - centre) / centre
    p = weight[:, None] * np.polynomial.chebyshev.chebvander(u, degrees[0])
    q = np.polynomial.chebyshev.chebvander(u, degrees[1])
    low, high, found = 1e-9, 1e-4, None
    scale = 1e6
    for _ in range(22):
        e = np.sqrt(low * high)
        # Q's first coefficient is 1; its part goes to the right-hand side.
        upper = np.hstack([p, -(target + e)[:, None] * q[:, 1:]])
        lower = np.hstack([-p, (target - e)[:, None] * q[:, 1:]])
        positive = np.hstack([0 * p, -q[:, 1:]])
        result = linprog(
            np.zeros(upper.shape[1]), A_ub=np.vstack([upper, lower, positive]) * scale,
            b_ub=np.r_[target + e, e - target, np.full(len(x), 1 - 1e-3)] * scale,
            bounds=[(None, None)] * upper.shape[1], method="highs")
        if result.status == 0:
            high, found = e, result.x
        else:
            low = e
    shift = np.polynomial.Polynomial([-1, 1 / centre])  # x² to u

    def in_square(chebyshev, degree):
        c = np.polynomial.Polynomial(np.polynomial.chebyshev.cheb2poly(chebyshev))(shift).coef
        return np.pad(c, (0, degree + 1 - len(c)))

    numerator = in_square(found[:degrees[0] + 1], degrees[0])
    denominator = in_square(np.r_[1, found[degrees[0] + 1:]], degrees[1])
    return numerator / denominator[-1], denominator / denominator[-1], high


def gelu(x, numerator, denominator, limit, fused):
    u = np.minimum(x * x, f32(limit * limit))
    ratio = horner(numerator, u, fused) / horner(denominator, u, fused)
    return x * np.clip(product_add(ratio, x, 0.5, fused), f32(0), f32(1))


def report_gelu():
    x = np.linspace(-12, 12, 4000001).astype(f32)
    exact = x.astype(np.float64) * ndtr(x.astype(np.float64))
    for degrees in ((4, 4), (4, 5)):
        best = None
        for limit in np.arange(4.8, 5.4, 0.02):
            numerator, denominator, error = fit_gelu(degrees, limit)
            worst = [
                np.max(np.abs(gelu(x, numerator, denominator, limit, fused) - exact)
                       / np.maximum(1, np.abs(x)))
                for fused in (True, False)]
            if best is None or max(worst) < max(best[4]):
                best = (limit, numerator, denominator, error, worst)
        limit, numerator, denominator, error, worst = best
        huge = np.r_[np.linspace(6, 60, 100001), np.logspace(1.5, 38, 4001)].astype(f32)
        with np.errstate(over="ignore"):
            same = all(
                np.array_equal(
                    gelu(s * huge, numerator, denominator, limit, True), np.maximum(s * huge, 0))
                for s in (1, -1))
        print(f"gelu, degrees {degrees}, |x| <= {limit:.2f}, x² <= {f32(limit * limit)}: fit {error:.1e}, "
              f"float32 / max(1, |x|): fused {worst[0]:.2e}, plain {worst[1]:.2e}, exact beyond 6: {same}")
        print("  ", [float(f32(a)) for a in numerator], [float(f32(a)) for a in denominator])


# exp: 1 + r + r² · P(r), |r| ≤ ln 2 / 2.

def fit_exp(degree):
    bound = np.log(2) / 2 * 1.0005
    r = bound * np.cos(np.linspace(0, np.pi, 2001))
    r = r[np.abs(r) > 1e-4]
    powers = np.arange(2, degree + 1)
    basis = (r[:, None] / bound) ** powers / np.exp(r)[:, None]
    c, error = minimax(basis, (np.exp(r) - 1 - r) / np.exp(r))
    return np.r_[1, 1, c / bound**powers], error


def report_exp():
    x = np.linspace(-87, 88, 4000001).astype(f32)
    exact = np.exp(x.astype(np.float64))
    ulp = 2.0 ** (np.floor(np.log2(exact)) - 23)
    for degree in (5, 6):
        c, error = fit_exp(degree)
        worst = []
        for fused in (True, False):
            shifted = product_add(x, 1.4426950408889634, 12582912, fused)
            n = shifted - f32(12582912)
            r = product_add(n, -0.693359375, x, fused)
            r = product_add(n, 2.12194440e-4, r, fused)
            value = horner(c, r, fused).astype(np.float64) * 2.0 ** n.astype(np.float64)
            worst.append(np.max(np.abs(value - exact) / ulp))
        print(f"exp, degree {degree}: fit {error:.2e}, ulp: fused {worst[0]:.2f}, plain {worst[1]:.2f}")
        print("  ", [float(f32(a)) for a in c])


if __name__ == "__main__":
    report_gelu()
    report_exp()
