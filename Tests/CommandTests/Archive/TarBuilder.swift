@testable import dragboard

/// Archives for tests: with any member, and any fault.
struct TarBuilder {
  /// The bytes so far.
  private(set) var bytes: [UInt8] = []

  /// The end of an archive: two blocks of zeros.
  static let end = [UInt8](repeating: 0, count: 1_024)

  /// Appends a member, as the header and the content.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - content: the bytes.
  ///   - kind: the kind of member.
  ///   - size: the text of the size; nil means the size of the content.
  mutating func add(
    _ path: String, _ content: some Collection<UInt8>, kind: Character = "0", size: String? = nil
  ) {
    var block = TarHeader(path: path, byteCount: content.count, kind: .file).block
    block[156] = kind.asciiValue ?? 0
    if let size { for (index, byte) in zip(124..<136, size.utf8) { block[index] = byte } }
    Self.seal(&block)
    bytes += block + content + [UInt8](repeating: 0, count: -content.count & 511)
  }

  /// Appends a member with a text.
  mutating func add(_ path: String, _ text: String, kind: Character = "0", size: String? = nil) {
    add(path, Array(text.utf8), kind: kind, size: size)
  }

  /// Appends bytes.
  mutating func append(_ bytes: [UInt8]) { self.bytes += bytes }

  /// Corrects the checksum of a header.
  private static func seal(_ block: inout [UInt8]) {
    for index in 148..<156 { block[index] = 0x20 }
    let digits = String(block.reduce(0) { $0 + Int($1) }, radix: 8)
    let field = String(repeating: "0", count: 7 - digits.count) + digits
    for (index, byte) in zip(148..<155, field.utf8) { block[index] = byte }
    block[155] = 0
  }
}

/// Manifests for tests.
enum TestManifest {
  /// Returns the manifest of a board with these rows.
  static func text(
    rows: [String], board: String = board, head: String = "\"format\":1,"
  ) -> String {
    "{\(head)\"board\":\(board),\"rows\":[\(rows.joined(separator: ","))]}"
  }

  static let board = board()

  static func board(sections: String = #"["main"]"#, acceptedTypes: String = #"["*/*"]"#) -> String
  {
    """
    {"name":"new","sections":\(sections),"accepted_types":\(acceptedTypes),"max_rows":0,\
    "moves_multiple_rows":true,"retain_rows":0,"retain_seconds":0,"moves_duplicates":false}
    """
  }

  /// Returns the entry of a row with one content for each path; `replacing` changes members.
  static func row(
    _ paths: String..., types: [String] = ["text/plain;charset=utf-8"],
    replacing changes: [String: String] = [:]
  ) -> String {
    let contents = paths.enumerated().map { index, path in
      "{\"type\":\"\(types[index % types.count])\",\"path\":\"\(path)\"}"
    }
    let members = [
      ("section", "0"), ("name", "\"\""), ("modified", "null"), ("application", "\"\""),
      ("stack", "\"\""), ("editable", "true"), ("movable", "true"), ("pinned", "false"),
      ("created", "0"), ("source", "\"\""),
      ("representations", "[\(contents.joined(separator: ","))]"),
    ]
    return "{" + members.map { "\"\($0)\":\(changes[$0] ?? $1)" }.joined(separator: ",") + "}"
  }
}
