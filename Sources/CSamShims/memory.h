// How the C library gives memory back to the system. Swift's module of glibc leaves malloc.h out.
#pragma once

#if defined(__GLIBC__) || defined(__linux__)
#include <features.h>
#endif

#if defined(__GLIBC__)
#include <malloc.h>

// Pieces of `bytes` and more go back when they are freed, and so does that much at the heap's end.
static inline void samReturnPieces(int bytes) {
  mallopt(M_MMAP_THRESHOLD, bytes);
  mallopt(M_TRIM_THRESHOLD, bytes);
}
#else
static inline void samReturnPieces(int bytes) { (void)bytes; }
#endif
