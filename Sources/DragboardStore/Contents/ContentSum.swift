internal import CXXHash

/// Tells whether bytes that came piece by piece are still the same, should a disk have lost some: XXH3, of 64 bits.
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

  /// The sum of what it was given so far.
  var value: UInt64 { state.map { cxxhash_sum($0) } ?? 0 }
}
