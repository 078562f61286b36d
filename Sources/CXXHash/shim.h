// xxHash for Swift, which cannot import its names, because they are macros. The functions are
// compiled in, so that no library is loaded.
#ifndef CXXHASH_SHIM_H
#define CXXHASH_SHIM_H

#define XXH_INLINE_ALL
#include <xxhash.h>

/// XXH3_createState and XXH3_64bits_reset.
static inline void *cxxhash_create(void) {
  XXH3_state_t *state = XXH3_createState();
  if (state != NULL) XXH3_64bits_reset(state);
  return state;
}

/// XXH3_64bits_update.
static inline void cxxhash_update(void *state, const void *bytes, size_t count) {
  XXH3_64bits_update((XXH3_state_t *)state, bytes, count);
}

/// XXH3_64bits_digest.
static inline uint64_t cxxhash_sum(const void *state) { return XXH3_64bits_digest((const XXH3_state_t *)state); }

/// XXH3_freeState.
static inline void cxxhash_free(void *state) { XXH3_freeState((XXH3_state_t *)state); }

#endif
