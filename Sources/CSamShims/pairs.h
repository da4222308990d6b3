// The products of 16-bit neighbours, added in pairs: result[i] = a[2i] * b[2i] + a[2i+1] * b[2i+1].
// It belongs to every x86-64. Swift's own sum of two products is torn apart by the optimiser where
// it meets a running sum, and each half then costs as much as the whole.
#pragma once

#if defined(__x86_64__)
#include <emmintrin.h>

static inline __attribute__((always_inline)) __m128i samSumPairProducts(__m128i a, __m128i b) {
  return _mm_madd_epi16(a, b);
}
#endif
