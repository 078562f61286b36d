internal import DragModel

/// The digest of a stream of bytes.
///
/// The algorithm is SHA-256, with 32 bytes.
///
/// Source: FIPS 180-4, section 6.2.
struct SHA256 {
  private static let blockSize = 64
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]

  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19,
  ]
  private var words = [UInt32](repeating: 0, count: 64)
  private var block: [UInt8] = []
  private var byteCount: UInt64 = 0

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    byteCount += UInt64(bytes.count)
    var rest = bytes[...]
    if !block.isEmpty {
      let start = rest.prefix(Self.blockSize - block.count)
      block += start
      rest = rest.dropFirst(start.count)
      guard block.count == Self.blockSize else { return }
      block.withUnsafeBytes { add($0) }
      block = []
    }
    while rest.count >= Self.blockSize {
      add(UnsafeRawBufferPointer(rebasing: rest.prefix(Self.blockSize)))
      rest = rest.dropFirst(Self.blockSize)
    }
    block += rest
  }

  mutating func update(_ number: UInt64) {
    withUnsafeBytes(of: number.littleEndian) { update($0) }
  }

  /// The digest of the bytes so far.
  var value: [UInt8] {
    var whole = self
    let bits = (byteCount * 8).bigEndian
    let padding = Self.blockSize - (block.count + 8) % Self.blockSize
    ([0x80] + [UInt8](repeating: 0, count: padding - 1)).withUnsafeBytes { whole.update($0) }
    withUnsafeBytes(of: bits) { whole.update($0) }
    return whole.state.flatMap { word in withUnsafeBytes(of: word.bigEndian, Array.init) }
  }

  private mutating func add(_ block: UnsafeRawBufferPointer) {
    let (constants, start) = (Self.constants, state)
    words.withUnsafeMutableBufferPointer { w in
      for i in 0..<16 {
        w[i] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: 4 * i, as: UInt32.self))
      }
      for i in 16..<64 {
        let s0 = Self.rotate(w[i - 15], 7) ^ Self.rotate(w[i - 15], 18) ^ w[i - 15] >> 3
        let s1 = Self.rotate(w[i - 2], 17) ^ Self.rotate(w[i - 2], 19) ^ w[i - 2] >> 10
        w[i] = w[i - 16] &+ s0 &+ w[i - 7] &+ s1
      }
      var (a, b, c, d) = (start[0], start[1], start[2], start[3])
      var (e, f, g, h) = (start[4], start[5], start[6], start[7])
      for i in 0..<64 {
        let s1 = Self.rotate(e, 6) ^ Self.rotate(e, 11) ^ Self.rotate(e, 25)
        let t1 = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ constants[i] &+ w[i]
        let s0 = Self.rotate(a, 2) ^ Self.rotate(a, 13) ^ Self.rotate(a, 22)
        let t2 = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
        (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
      }
      let sums = [a, b, c, d, e, f, g, h]
      for i in 0..<8 { state[i] = start[i] &+ sums[i] }
    }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 - count)
  }
}

extension RowContent {
  /// The content with its digest if the bytes are few and in memory; otherwise the unchanged
  /// content.
  ///
  /// Computing the digest takes at most a millisecond.
  public var digestedIfSmall: RowContent {
    let isSmall =
      representations.allSatisfy { $0.bytes.inMemory != nil }
      && representations.reduce(0) { $0 + $1.bytes.byteCount } <= Payload.inlineLimit
    return isSmall ? (try? digested()) ?? self : self
  }

  /// Returns the content with the digest of its types and bytes.
  ///
  /// It may read from the disk, so do not call it on the event loop unless the bytes are in memory.
  ///
  /// - Throws: `StoreError` if the bytes cannot be read.
  public func digested() throws(StoreError) -> RowContent {
    var sum = SHA256()
    for representation in representations {
      let type = Array(representation.type.mime.utf8)
      sum.update(UInt64(type.count))
      type.withUnsafeBytes { sum.update($0) }
      sum.update(UInt64(representation.bytes.byteCount))
      try representation.bytes.forEachPiece { piece in
        sum.update(piece)
        return true
      }
    }
    var content = self
    content.digest = sum.value
    return content
  }
}
