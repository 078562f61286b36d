internal import CXXHash

/// A checksum of bytes that come piece by piece, which finds what a disk has lost or altered: XXH3,
/// of 64 bits.
///
/// It is no signature: whoever can write to the data directory can write the sum, too.
///
/// Source: xxHash, `doc/xxhash_spec.md`.
struct ContentSum: ~Copyable {
  /// Nil where there is no memory for it: then it takes nothing in.
  private let state: UnsafeMutableRawPointer?

  init() { state = cxxhash_create() }

  deinit { cxxhash_free(state) }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    if let state { cxxhash_update(state, bytes.baseAddress, bytes.count) }
  }

  /// The sum of the bytes so far; nil if there was no memory for it.
  var value: UInt64? { state.map { cxxhash_sum($0) } }
}
