/// A reader that computes the preview of a text that arrives in pieces.
///
/// It stores only the part of the text that the preview needs. The pieces can be split anywhere.
/// The result equals ``Preview/of(_:)-(String)`` of the whole text.
public struct PreviewReader: Sendable {
  /// Whether further bytes cannot change the preview.
  public private(set) var isSettled = false
  /// The visible part of the line: at most ``Preview/maxLength`` scalars.
  private var line: [UInt8] = []
  private var length = 0
  /// The length of the line without trailing white space, in bytes.
  private var end = 0
  /// The beginning of an incomplete UTF-8 sequence.
  private var sequence: [UInt8] = []

  /// Creates a reader.
  public init() {}

  /// The preview of the bytes so far.
  public var preview: String {
    WireText.sanitized(String(decoding: line[..<end], as: UTF8.self))
  }

  /// Reads the next bytes of the text, which is valid UTF-8.
  ///
  /// - Complexity: O(*n*) until ``isSettled``, then O(1).
  public mutating func take(_ bytes: Span<UInt8>) {
    for index in bytes.indices {
      if isSettled { return }
      let byte = bytes[index]
      if length == 0, sequence.isEmpty, Unicode.Scalar(byte).isASCII, Unicode.Scalar(byte).isSpace {
        continue
      }
      sequence.append(byte)
      if sequence.count == UTF8Check.length(ofSequenceAfter: sequence[0]) { takeSequence() }
    }
  }

  private mutating func takeSequence() {
    defer { sequence.removeAll(keepingCapacity: true) }
    guard let scalar = String(decoding: sequence, as: UTF8.self).unicodeScalars.first else {
      return
    }
    let isSpace = scalar.isSpace
    // Skip blank lines and the indentation of the first nonblank line, which are one run of white
    // space.
    if length == 0 && isSpace { return }
    if scalar == "\n" || scalar == "\r" { return isSettled = true }
    if length < Preview.maxLength {
      length += 1
      line += sequence
    }
    if isSpace { return }
    end = line.count
    isSettled = length == Preview.maxLength
  }
}
