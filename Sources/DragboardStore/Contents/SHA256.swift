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
    let whole = UnsafeRawBufferPointer(rebasing: rest)
    var offset = 0
    while offset + Self.blockSize <= whole.count, let start = whole.baseAddress {
      add(UnsafeRawBufferPointer(start: start + offset, count: Self.blockSize))
      offset += Self.blockSize
    }
    block += whole[offset...]
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

  /// Adds a block.
  ///
  /// The loops use pointers and no ranges. In a debug build, each element of an array or a buffer is a
  /// call, and 64 MiB would take many seconds.
  private mutating func add(_ block: UnsafeRawBufferPointer) {
    guard let bytes = block.baseAddress else { return }
    withPointers { state, w, constants in
      var i = 0
      while i < 16 {
        w[i] = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4 * i, as: UInt32.self))
        i += 1
      }
      while i < 64 {
        let (x, y) = (w[i - 15], w[i - 2])
        let s0 = (x &>> 7 | x &<< 25) ^ (x &>> 18 | x &<< 14) ^ x &>> 3
        let s1 = (y &>> 17 | y &<< 15) ^ (y &>> 19 | y &<< 13) ^ y &>> 10
        w[i] = w[i - 16] &+ s0 &+ w[i - 7] &+ s1
        i += 1
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      i = 0
      while i < 64 {
        let s1 = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
        let t1 = h &+ s1 &+ ((e & f) ^ (~e & g)) &+ constants[i] &+ w[i]
        let s0 = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
        let t2 = s0 &+ ((a & b) ^ (a & c) ^ (b & c))
        (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
        i += 1
      }
      state[0] &+= a
      state[1] &+= b
      state[2] &+= c
      state[3] &+= d
      state[4] &+= e
      state[5] &+= f
      state[6] &+= g
      state[7] &+= h
    }
  }

  /// Calls `body` with the state, the words and the constants.
  private mutating func withPointers(
    _ body: (UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt32>, UnsafePointer<UInt32>) ->
      Void
  ) {
    state.withUnsafeMutableBufferPointer { state in
      words.withUnsafeMutableBufferPointer { words in
        Self.constants.withUnsafeBufferPointer { constants in
          guard let state = state.baseAddress, let words = words.baseAddress,
            let constants = constants.baseAddress
          else { return }
          body(state, words, constants)
        }
      }
    }
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
