public import BoardModel

/// The conversion between rows and their ids for clients.
///
/// The id of a row is a lower-case UUID.
///
/// In memory and on the disk, a row is a number of eight bytes. For clients it is a UUID (version 8
/// of RFC 9562, "custom"). Its first 60 bits are the enciphered number, so consecutive ids look
/// unrelated and a short prefix identifies a row. The other 62 bits are a check value of the
/// number. Both depend on 128 random bits that the database stores permanently. So an id of another
/// database and an invented id are refused.
public struct ItemIDs: Sendable {
  private let key: (UInt64, UInt64)

  /// Creates the conversion for the database with these random bits.
  public init(salt: [UInt8]) {
    func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    key = (word(salt.prefix(8)), word(salt.suffix(8)))
  }

  private static let halfMask: UInt64 = 1 << 30 - 1
  private static let checkMask: UInt64 = 1 << 62 - 1

  /// Returns the row's id on the wire: 36 characters.
  public func id(of row: RowID) -> String {
    String(unsafeUninitializedCapacity: Self.characterCount) { text in
      if let start = UnsafeMutableRawPointer(text.baseAddress) { write(row, to: start) }
      return Self.characterCount
    }
  }

  /// The number of characters of an id, which are all ASCII.
  static let characterCount = 36

  /// Writes the characters of the row's id.
  func write(_ row: RowID, to text: UnsafeMutableRawPointer) {
    let number = enciphered(row.rawValue)
    let high = (number >> 12) << 16 | 0x8000 | number & 0xfff
    let low = 1 << 63 | check(row.rawValue)
    Self.write(high, low, to: text)
  }

  /// Returns the row with an id; nil if `id` is not an id of this database.
  public func row(of id: String) -> RowID? {
    guard let (high, low) = Self.read(id), high >> 12 & 0xf == 8, low >> 62 == 2 else { return nil }
    let row = deciphered((high >> 16) << 12 | high & 0xfff)
    return check(row) == low & Self.checkMask ? RowID(row) : nil
  }

  // MARK: The cipher: four rounds of a Feistel network over two halves of 30 bits

  private func enciphered(_ number: UInt64) -> UInt64 {
    var (left, right) = (number >> 30 & Self.halfMask, number & Self.halfMask)
    for round in 0..<4 as Range<UInt64> { (left, right) = (right, left ^ scrambled(right, round)) }
    return left << 30 | right
  }

  private func deciphered(_ number: UInt64) -> UInt64 {
    var (left, right) = (number >> 30, number & Self.halfMask)
    for round in (0..<4 as Range<UInt64>).reversed() {
      (left, right) = (right ^ scrambled(left, round), left)
    }
    return left << 30 | right
  }

  private func scrambled(_ half: UInt64, _ round: UInt64) -> UInt64 {
    Self.mixed(half &+ key.0 &+ round &* 0x9e37_79b9_7f4a_7c15) & Self.halfMask
  }

  private func check(_ number: UInt64) -> UInt64 {
    Self.mixed(number ^ key.1) & Self.checkMask
  }

  /// The finaliser of SplitMix64: every bit of the result depends on every bit of `word`.
  private static func mixed(_ word: UInt64) -> UInt64 {
    var word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return word ^ word >> 31
  }

  // MARK: Text

  private static func isHyphen(_ index: Int) -> Bool {
    index == 8 || index == 13 || index == 18 || index == 23
  }

  private static func write(_ high: UInt64, _ low: UInt64, to text: UnsafeMutableRawPointer) {
    func put(_ word: UInt64, _ shift: UInt64, _ offset: Int) {
      text.storeBytes(
        of: digits(of: UInt32(truncatingIfNeeded: word >> shift)), toByteOffset: offset,
        as: UInt64.self)
    }
    // Each call writes eight digits. The hyphens are within the second and the third group of eight
    // digits.
    put(high, 32, 0)
    put(high, 0, 10)
    put(low, 32, 20)
    put(low, 0, 28)
    let text = text.assumingMemoryBound(to: UInt8.self)
    for index in 9..<13 { text[index] = text[index + 1] }
    for index in 19..<23 { text[index] = text[index + 1] }
    text[8] = UInt8(ascii: "-")
    text[13] = UInt8(ascii: "-")
    text[18] = UInt8(ascii: "-")
    text[23] = UInt8(ascii: "-")
  }

  /// Returns the eight hexadecimal digits of a word.
  ///
  /// In memory, the highest digit comes first. All digits are converted at once.
  private static func digits(of word: UInt32) -> UInt64 {
    var nibbles = UInt64(word)
    nibbles = (nibbles << 16 | nibbles) & 0x0000_ffff_0000_ffff
    nibbles = (nibbles << 8 | nibbles) & 0x00ff_00ff_00ff_00ff
    nibbles = (nibbles << 4 | nibbles) & 0x0f0f_0f0f_0f0f_0f0f
    // 1 in each byte whose value is 10 or more.
    let letters = (nibbles &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    let text = nibbles &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
    return text.bigEndian
  }

  private static func read(_ id: String) -> (UInt64, UInt64)? {
    guard id.utf8.count == 36 else { return nil }
    var id = id
    // The bytes are read in place, because the UTF-8 view needs four times as many instructions.
    return id.withUTF8(read)
  }

  private static func read(_ id: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64)? {
    var words: (UInt64, UInt64) = (0, 0)
    var nibble = 0
    for index in 0..<36 {
      if isHyphen(index) {
        guard id[index] == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = digit(id[index]) else { return nil }
      if nibble < 16 { words.0 = words.0 << 4 | digit } else { words.1 = words.1 << 4 | digit }
      nibble += 1
    }
    return words
  }

  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    default: nil
    }
  }
}
