// The bfloat16 instructions. Swift cannot import their vector type (__m512bh), so each is wrapped
// to take and give types that it can.
#pragma once

#if defined(__AVX512BF16__)
#include <immintrin.h>

// sum[i] + a[2i] * b[2i] + a[2i+1] * b[2i+1], the operands in bfloat16, the sum in float.
static inline __attribute__((always_inline)) __m512 samDotBFloat16(__m512 sum, __m512i a, __m512i b) {
  return _mm512_dpbf16_ps(sum, (__m512bh)a, (__m512bh)b);
}

// 32 floats to 32 bfloat16, round to nearest even; `low` gives the first 16.
static inline __attribute__((always_inline)) __m512i samConvertBFloat16(__m512 high, __m512 low) {
  return (__m512i)_mm512_cvtne2ps_pbh(high, low);
}
#endif
