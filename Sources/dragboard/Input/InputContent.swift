import DragboardClient

/// The representations of a file or of standard input.
///
/// A text has its own type, such as `text/x-python`, and plain text in UTF-8, so that it is found,
/// shown and edited, and so that a destination which wants plain text gets it.
struct InputContent {
  /// The representations, the best first.
  let representations: [DragItem.Representation]

  /// The maximum number of bytes of a text that also becomes plain text: the daemon searches no more.
  private static let maxPlainByteCount = 1 << 20
  /// The maximum number of bytes that are read to find out whether they are text.
  private static let maxCheckedByteCount = 256 << 20

  /// - Parameters:
  ///   - content: the bytes, which are also the bytes of `input`.
  ///   - input: the file or the bytes.
  ///   - name: the name of the file; "" if it has none.
  ///   - type: the type that the user has chosen; nil to find it.
  /// - Throws: `DragboardError` if the file cannot be read.
  init(_ content: DragItem.Content, of input: Input, name: String, as type: ContentType?) throws {
    let guess = type ?? FileType.ofName(name)
    // The user's type needs no check, and other types than text have none.
    guard type == nil, guess?.isText ?? true else {
      representations = [.init(guess ?? .data, content)]
      return
    }
    guard input.byteCount <= Self.maxCheckedByteCount else {
      representations = [.init(guess ?? .data, content)]
      return
    }
    let encoding = try input.encoding()
    let known =
      guess == nil ? try Signature.type(of: input.bytes(first: Signature.byteCount)) : guess
    let isPlain = known == nil || known?.essence == "text/plain"
    switch encoding {
    case .binary:
      representations = [.init(isPlain ? .data : known ?? .data, content)]
    case .utf8 where isPlain:
      representations = [.init(.plainText, content)]
    case .utf8, .latin1:
      var own = known ?? "text/plain"
      if encoding == .latin1, own.rawValue.hasPrefix("text/") {
        own = ContentType("\(own.rawValue);charset=iso-8859-1")
      }
      var all = [DragItem.Representation(own, content)]
      if input.byteCount <= Self.maxPlainByteCount {
        let bytes = try input.bytes(first: Self.maxPlainByteCount)
        if let text = encoding.text(of: bytes) {
          all.append(.init(.plainText, .data(Array(text.utf8))))
        }
      }
      representations = all
    }
  }
}

/// The types of contents that begin with certain bytes.
///
/// Only names without a known type are examined, such as those of scripts, and standard input.
private enum Signature {
  /// The number of bytes that suffices.
  static let byteCount = 256

  static func type(of bytes: [UInt8]) -> ContentType? {
    if bytes.starts(with: "#!".utf8) { return script(bytes) }
    return types.first { bytes.starts(with: $0.bytes) }?.type
  }

  /// Returns the type of a script, from the name of its interpreter.
  private static func script(_ bytes: [UInt8]) -> ContentType {
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }.dropFirst(2)
    let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      .map { $0.split(separator: "/").last ?? "" }
    let program =
      words.first == "env" ? words.dropFirst().first { !$0.hasPrefix("-") } : words.first
    let name = (program ?? "").prefix { $0.isLetter }
    return scripts[String(name)] ?? "text/plain"
  }

  private static let scripts: [String: ContentType] = [
    "sh": "application/x-shellscript", "bash": "application/x-shellscript",
    "dash": "application/x-shellscript", "ksh": "application/x-shellscript",
    "zsh": "application/x-shellscript", "python": "text/x-python", "perl": "application/x-perl",
    "ruby": "application/x-ruby", "node": "text/javascript", "awk": "application/x-awk",
    "gawk": "application/x-awk",
  ]

  private static let types: [(bytes: [UInt8], type: ContentType)] = [
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png), ([0xFF, 0xD8, 0xFF], "image/jpeg"),
    (Array("GIF8".utf8), "image/gif"), (Array("%PDF-".utf8), "application/pdf"),
    ([0x50, 0x4B, 0x03, 0x04], "application/zip"), ([0x1F, 0x8B], "application/gzip"),
    ([0x28, 0xB5, 0x2F, 0xFD], "application/zstd"), (Array("<?xml".utf8), "application/xml"),
  ]
}
