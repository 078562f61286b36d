internal import CXXHash

/// A checksum of a stream of bytes.
///
/// The algorithm is XXH3 with 64 bits.
///
/// The checksum detects bytes that a disk has lost or altered. It is not a signature, because a
/// program that can write to the data directory can also write the sum.
///
/// Source: xxHash, `doc/xxhash_spec.md`.
struct ContentSum: ~Copyable {
  /// The state of XXH3.
  ///
  /// It is nil if memory was exhausted. In this case no bytes are added.
  private let state: UnsafeMutableRawPointer?

  init() { state = cxxhash_create() }

  deinit { cxxhash_free(state) }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    if let state { cxxhash_update(state, bytes.baseAddress, bytes.count) }
  }

  /// The sum of the bytes so far; nil if memory was exhausted.
  var value: UInt64? { state.map { cxxhash_sum($0) } }
}
