/// A validator for UTF-8 that arrives in pieces, which can be split anywhere.
public struct UTF8Check: Sendable {
  /// The offset of the first byte that is not part of well-formed UTF-8; nil if there is none so
  /// far.
  public private(set) var firstInvalidByte: Int?
  /// The number of bytes before ``beginning``.
  private var offset = 0
  /// The beginning of an incomplete sequence; at most three bytes.
  private var beginning: [UInt8] = []

  /// Creates a validator.
  public init() {}

  /// Reads the next bytes.
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

  /// Ends the text: an incomplete sequence is invalid.
  public mutating func finish() {
    if firstInvalidByte == nil, !beginning.isEmpty { firstInvalidByte = offset }
  }

  /// Completes the incomplete sequence; returns the number of bytes used.
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

  /// Returns the length of the sequence with this first byte; 1 for an invalid first byte.
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
  /// The offset of the last sequence if it is incomplete, otherwise the end.
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
