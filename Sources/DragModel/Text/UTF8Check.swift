/// Checks UTF-8 that comes in pieces, cut anywhere.
public struct UTF8Check: Sendable {
  /// The offset of the first byte that is not part of well-formed UTF-8; nil as long as there is none.
  public private(set) var firstInvalidByte: Int?
  /// How many bytes came before the beginning that is kept.
  private var offset = 0
  /// The beginning of a sequence whose rest is in the next piece; at most three bytes.
  private var beginning: [UInt8] = []

  /// A check of nothing yet.
  public init() {}

  /// Takes the next bytes.
  ///
  /// - Complexity: O(*n*)
  public mutating func take(_ bytes: Span<UInt8>) {
    guard firstInvalidByte == nil, !bytes.isEmpty else { return }
    let used = complete(with: bytes)
    guard firstInvalidByte == nil else { return }
    let rest = bytes.extracting(used..<bytes.count)
    let end = rest.endOfWholeSequences
    note(WireText.firstInvalidByte(in: rest.extracting(0..<end)))
    offset += end
    for index in end..<rest.count { beginning.append(rest[index]) }
  }

  /// Says that nothing more comes: a sequence that has begun is none.
  public mutating func finish() {
    if firstInvalidByte == nil, !beginning.isEmpty { firstInvalidByte = offset }
  }

  /// Completes the sequence that has begun; gives how many bytes that took.
  private mutating func complete(with bytes: Span<UInt8>) -> Int {
    guard let lead = beginning.first else { return 0 }
    let missing = min(UTF8Check.length(ofSequenceAfter: lead) - beginning.count, bytes.count)
    for index in 0..<missing { beginning.append(bytes[index]) }
    guard beginning.count == UTF8Check.length(ofSequenceAfter: lead) else { return missing }
    note(WireText.firstInvalidByte(in: beginning.span))
    offset += beginning.count
    beginning = []
    return missing
  }

  private mutating func note(_ place: Int?) {
    if let place { firstInvalidByte = offset + place }
  }

  /// How many bytes a sequence has whose first byte this is; 1 for what is no first byte.
  static func length(ofSequenceAfter lead: UInt8) -> Int {
    switch lead {
    case 0xC0..<0xE0: 2
    case 0xE0..<0xF0: 3
    case 0xF0...0xFF: 4
    default: 1
    }
  }
}

extension Span<UInt8> {
  /// Where the last sequence begins that is not whole, or the end.
  fileprivate var endOfWholeSequences: Int {
    for index in stride(from: count - 1, through: Swift.max(0, count - 3), by: -1) {
      let byte = self[index]
      guard byte & 0xC0 == 0x80 else {
        return index + UTF8Check.length(ofSequenceAfter: byte) > count ? index : count
      }
    }
    return count
  }
}
