#!/usr/bin/env python3
"""Fits the polynomials of Sources/KernelTemplates/VectorMath.swift and prints them with their errors.

    python3 Tools/kernels/fit_vector_math.py

Needs numpy and scipy. Both fits are minimax, found as linear programmes over a dense grid; the errors
that are printed last are those of the float32 evaluation, with fused products (AVX) and without (SSE2).
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


# GELU: x · (1/2 + x · Q(x² − centre)), Q even part of (Φ(x) − 1/2) / x, |x| ≤ limit.

def fit_gelu(degree, limit):
    centre = limit * limit / 2
    angle = np.pi * np.arange(1, 2001) / 4000
    x = np.unique(np.r_[limit * (1 - np.cos(angle)), limit * np.sin(angle)])
    x = x[x > 1e-3]
    weight = np.minimum(x * x, x)  # |x · x · δQ| / max(1, |x|) is the error of the GELU
    basis = np.polynomial.chebyshev.chebvander((x * x - centre) / centre, degree)
    c, error = minimax(basis * weight[:, None], (ndtr(x) - 0.5) / x * weight)
    c = np.polynomial.chebyshev.cheb2poly(c)
    return c / centre ** np.arange(degree + 1), error


def gelu(x, coefficients, limit, fused):
    u = product_add(x, x, -limit * limit / 2, fused)
    half = product_add(horner(coefficients, u, fused), x, 0.5, fused)
    return x * np.clip(half, f32(0), f32(1))


def report_gelu():
    x = np.linspace(-12, 12, 4000001).astype(f32)
    exact = x.astype(np.float64) * ndtr(x.astype(np.float64))
    for degree in (10, 12, 14):
        best = None
        for limit in np.arange(4.8, 5.5, 0.02):
            c, error = fit_gelu(degree, limit)
            if c[-1] <= 0:  # it must grow beyond the limit, so that the clamp makes it exact there
                continue
            worst = [
                np.max(np.abs(gelu(x, c, limit, fused) - exact) / np.maximum(1, np.abs(x)))
                for fused in (True, False)]
            if best is None or max(worst) < max(best[3]):
                best = (limit, c, error, worst)
        limit, c, error, worst = best
        print(f"gelu, degree {degree}, |x| <= {limit:.2f}, centre {f32(limit * limit / 2)}")
        print(f"  fit {error:.2e}, float32 / max(1, |x|): fused {worst[0]:.2e}, plain {worst[1]:.2e}")
        huge = np.r_[np.linspace(limit, 60, 100001), np.logspace(1.5, 38, 4001)].astype(f32)
        with np.errstate(over="ignore"):
            same = all(
                np.array_equal(gelu(s * huge, c, limit, True)[huge > 6], np.maximum(s * huge, 0)[huge > 6])
                for s in (1, -1))
        print(f"  exact beyond |x| = 6: {same}")
        print("  ", [float(f32(a)) for a in c])


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
