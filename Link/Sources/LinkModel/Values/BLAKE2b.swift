/// BLAKE2b without a key, with 32 bytes of output.
///
/// Source: RFC 7693.
public struct BLAKE2b: Sendable {
  private static let blockSize = 128

  private var state: [UInt64]
  private var block: [UInt8] = []
  private var byteCount: UInt64 = 0

  /// Starts a new hash.
  public init() {
    state = Self.initial
    state[0] ^= 0x0101_0000 ^ UInt64(ContentHash.byteCount)
    block.reserveCapacity(Self.blockSize)
  }

  /// Adds bytes.
  public mutating func update(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      if block.count == Self.blockSize {
        byteCount += UInt64(Self.blockSize)
        compress(isLast: false)
        block.removeAll(keepingCapacity: true)
      }
      block.append(byte)
    }
  }

  /// Returns the hash of all bytes that were added.
  public consuming func finish() -> [UInt8] {
    byteCount += UInt64(block.count)
    block += repeatElement(0, count: Self.blockSize - block.count)
    compress(isLast: true)
    return state.prefix(4).flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
  }

  private mutating func compress(isLast: Bool) {
    let words: [UInt64] = block.withUnsafeBytes { bytes in
      (0..<16).map {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self))
      }
    }
    var v = state + Self.initial
    v[12] ^= byteCount
    if isLast { v[14] = ~v[14] }
    v.withUnsafeMutableBufferPointer { v in
      words.withUnsafeBufferPointer { m in
        for round in 0..<12 {
          Self.schedule[round % 10].withUnsafeBufferPointer { s in
            Self.mix(v, 0, 4, 8, 12, m[s[0]], m[s[1]])
            Self.mix(v, 1, 5, 9, 13, m[s[2]], m[s[3]])
            Self.mix(v, 2, 6, 10, 14, m[s[4]], m[s[5]])
            Self.mix(v, 3, 7, 11, 15, m[s[6]], m[s[7]])
            Self.mix(v, 0, 5, 10, 15, m[s[8]], m[s[9]])
            Self.mix(v, 1, 6, 11, 12, m[s[10]], m[s[11]])
            Self.mix(v, 2, 7, 8, 13, m[s[12]], m[s[13]])
            Self.mix(v, 3, 4, 9, 14, m[s[14]], m[s[15]])
          }
        }
      }
    }
    for index in 0..<8 { state[index] ^= v[index] ^ v[index + 8] }
  }

  @inline(__always)
  private static func mix(
    _ v: UnsafeMutableBufferPointer<UInt64>, _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ x: UInt64,
    _ y: UInt64
  ) {
    func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 { word >> count | word << (64 - count) }
    v[a] = v[a] &+ v[b] &+ x
    v[d] = rotated(v[d] ^ v[a], 32)
    v[c] = v[c] &+ v[d]
    v[b] = rotated(v[b] ^ v[c], 24)
    v[a] = v[a] &+ v[b] &+ y
    v[d] = rotated(v[d] ^ v[a], 16)
    v[c] = v[c] &+ v[d]
    v[b] = rotated(v[b] ^ v[c], 63)
  }

  private static let initial: [UInt64] = [
    0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
  ]

  private static let schedule: [[Int]] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
  ]
}

extension ContentHash {
  /// Computes the hash of bytes.
  public init(of bytes: some Sequence<UInt8>) {
    var hash = BLAKE2b()
    hash.update(bytes)
    self.init(unchecked: hash.finish())
  }
}
