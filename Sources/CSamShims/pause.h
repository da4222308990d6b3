// What a thread does between two looks at a value that another thread is about to change: the CPU is
// told that the loop waits, which saves power and leaves a shared core to the other thread.
#pragma once

static inline void samPause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}
