/// Finds the preview of a text that comes in pieces, cut anywhere, and needs no more of it than the preview does.
///
/// It gives what ``Preview/of(_:)-(String)`` gives of the whole text.
public struct PreviewReader: Sendable {
  /// Whether what follows changes nothing any more.
  public private(set) var isSettled = false
  /// What may be shown of the line: at most ``Preview/maximumLength`` scalars.
  private var line: [UInt8] = []
  private var length = 0
  /// How much of the line is left when the white space at its end goes.
  private var end = 0
  /// A sequence whose rest is still to come.
  private var sequence: [UInt8] = []

  /// A reader of nothing yet.
  public init() {}

  /// The preview of what has come so far.
  public var preview: String {
    WireText.sanitized(String(decoding: line[..<end], as: UTF8.self))
  }

  /// Takes the next bytes of the text, which is valid UTF-8.
  ///
  /// - Complexity: O(*n*) until it is settled, then O(1).
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
    // Blank lines and the indentation of the first other one are one stretch of white space.
    if length == 0 && isSpace { return }
    if scalar == "\n" || scalar == "\r" { return isSettled = true }
    if length < Preview.maximumLength {
      length += 1
      line += sequence
    }
    if isSpace { return }
    end = line.count
    isSettled = length == Preview.maximumLength
  }
}
