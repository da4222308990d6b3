// Asks for the cache line that holds an address, ahead of its use; touches nothing and cannot fail.
#pragma once

static inline __attribute__((always_inline)) void samPrefetch(const void *address) {
  __builtin_prefetch(address, 0, 3);
}
