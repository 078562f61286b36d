internal import CXXHash

/// A checksum of a stream of bytes: XXH3, 64 bits.
///
/// It detects bytes that a disk has lost or altered. It is not a signature: a program that can
/// write to the data directory can write the sum as well.
///
/// Source: xxHash, `doc/xxhash_spec.md`.
struct ContentSum: ~Copyable {
  /// The state of XXH3; nil if memory was exhausted, and then no bytes are added.
  private let state: UnsafeMutableRawPointer?

  init() { state = cxxhash_create() }

  deinit { cxxhash_free(state) }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    if let state { cxxhash_update(state, bytes.baseAddress, bytes.count) }
  }

  /// The sum of the bytes so far; nil if memory was exhausted.
  var value: UInt64? { state.map { cxxhash_sum($0) } }
}
