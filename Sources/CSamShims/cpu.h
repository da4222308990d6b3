// What this CPU can do, as the compiler's own run-time probe sees it (it also checks that the
// operating system saves the wide registers). Swift has no access to cpuid.
#pragma once

#if defined(__x86_64__)
static inline int samCPUHasAVX2(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static inline int samCPUHasAVX512(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
}

static inline int samCPUHasBFloat16(void) {
  __builtin_cpu_init();
  return samCPUHasAVX512() && __builtin_cpu_supports("avx512bf16");
}
#else
static inline int samCPUHasAVX2(void) { return 0; }
static inline int samCPUHasAVX512(void) { return 0; }
static inline int samCPUHasBFloat16(void) { return 0; }
#endif
