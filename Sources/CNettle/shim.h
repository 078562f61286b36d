// What Swift imports of Nettle, and what differs between its releases restated.
#ifndef CNETTLE_SHIM_H
#define CNETTLE_SHIM_H

#include <nettle/sha2.h>
#include <nettle/version.h>

/// sha256_digest: writes SHA256_DIGEST_SIZE bytes and makes the context new. From release 4 on it is not told
/// the length.
static inline void cnettle_sha256_digest(struct sha256_ctx *context, uint8_t *digest) {
#if NETTLE_VERSION_MAJOR >= 4
  sha256_digest(context, digest);
#else
  sha256_digest(context, SHA256_DIGEST_SIZE, digest);
#endif
}

#endif
