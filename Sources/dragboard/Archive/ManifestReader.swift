import DragboardClient

/// A reader of an archive's manifest, row by row.
struct ManifestReader {
  /// The board.
  private(set) var board = BoardManifest()
  private var json: JSONReader
  private let byteCount: Int
  private var isAtFirstRow = true
  private var format = 1

  private static let maxSections = 65_536
  private static let maxAcceptedTypes = 256

  /// Reads the board, up to the first row.
  ///
  /// - Parameters:
  ///   - file: the manifest.
  ///   - name: the name of the manifest in messages.
  /// - Throws: `CommandError`, `Failure`.
  init(_ file: SpoolFile, name: String) throws {
    json = JSONReader(file, name: name)
    byteCount = file.byteCount
    var missing: Set = ["format", "board"]
    try json.expect("{")
    while case let key = try json.memberName(), key != "rows" {
      guard missing.remove(key) != nil else {
        throw json.error("'\(key)' is unknown or occurs twice (expected format, board, rows)")
      }
      if key == "format" { try readFormat() } else { try readBoard() }
      try json.expect(",")
    }
    if let name = missing.min() { throw json.error("'\(name)' is missing before the rows") }
    try json.expect("[")
  }

  /// The fraction of the manifest that was read, from 0 to 1.
  var progress: Double { Double(json.offset) / Double(max(byteCount, 1)) }

  /// Returns the next row; nil at the end of the manifest.
  ///
  /// - Throws: `CommandError`, `Failure`.
  mutating func next() throws -> BoardManifest.Row? {
    defer { isAtFirstRow = false }
    if try json.takes("]") {
      try json.expect("}")
      try json.expectEnd()
      return nil
    }
    if !isAtFirstRow { try json.expect(",") }
    return try readRow()
  }

  /// Returns an error for the row that was read last.
  func error(_ words: String) -> CommandError { json.error(words) }

  private mutating func readFormat() throws {
    let format = try json.integer("format")
    let formats = BoardManifest.formats
    guard formats.contains(format) else {
      throw json.error(
        "format: \(format) is unknown (expected \(formats.lowerBound)…\(formats.upperBound))")
    }
    self.format = format
  }

  private mutating func readBoard() throws {
    var board = BoardManifest()
    let members: Set = [
      "name", "sections", "accepted_types", "max_rows", "moves_multiple_rows", "retain_rows",
      "retain_seconds", "moves_duplicates",
    ]
    try json.object(members) { json, key in
      switch key {
      case "name": board.name = try json.string(key)
      case "sections":
        board.sections = try json.array(key, max: Self.maxSections) { try $0.string(key) }
      case "accepted_types":
        board.acceptedTypes = try json.array(key, max: Self.maxAcceptedTypes) {
          ContentType(try $0.string(key))
        }
      case "max_rows": board.maxRows = try json.integer(key)
      case "moves_multiple_rows": board.movesMultipleRows = try json.boolean(key)
      case "retain_rows": board.retainedRows = try json.integer(key)
      case "retain_seconds": board.retainedSeconds = try json.integer(key)
      default: board.movesDuplicates = try json.boolean(key)
      }
    }
    guard !board.sections.isEmpty else {
      throw json.error("sections: are missing (expected at least 1)")
    }
    self.board = board
  }

  private mutating func readRow() throws -> BoardManifest.Row {
    var row = BoardManifest.Row()
    let members: Set = [
      "section", "name", "modified", "application", "stack", "editable", "movable", "pinned",
      "created", "source", "representations",
    ]
    let isFull = format == 1
    try json.object(isFull ? members : members.union(["text", "mode"]), isComplete: isFull) {
      json, key in
      switch key {
      case "section": row.section = try json.integer(key)
      case "name": row.attributes.name = try json.string(key)
      case "modified":
        row.attributes.modified = try json.optionalInteger(key).map { .microseconds($0) }
      case "application": row.attributes.application = try json.string(key)
      case "stack": row.attributes.stack = try json.string(key)
      case "mode":
        let mode = try json.integer(key)
        guard 0...0o777 ~= mode else {
          throw json.error("mode: \(mode) is out of range (0…\(0o777))")
        }
        row.attributes.mode = UInt32(mode)
      case "editable": row.isEditable = try json.boolean(key)
      case "movable": row.isMovable = try json.boolean(key)
      case "pinned": row.isPinned = try json.boolean(key)
      case "created": _ = try json.integer(key)
      case "source": row.isFromClipboard = try json.string(key) == ClipboardBridge.rowSource
      case "text": row.text = try json.string(key)
      default:
        row.representations = try json.array(key, max: BoardManifest.maxRepresentations) {
          try Self.readRepresentation(&$0)
        }
      }
    }
    guard board.sections.indices.contains(row.section) else {
      throw json.error(
        "section: \(row.section) is out of range (0…\(board.sections.count - 1))")
    }
    guard row.representations.isEmpty != (row.text == nil) else {
      throw json.error(
        row.text == nil
          ? "representations: are missing (expected at least 1)"
          : "text: cannot be used with representations")
    }
    return row
  }

  private static func readRepresentation(
    _ json: inout JSONReader
  ) throws -> BoardManifest.Representation {
    var representation = BoardManifest.Representation()
    try json.object(["type", "path"]) { json, key in
      if key == "type" {
        representation.type = ContentType(try json.string(key))
      } else {
        representation.path = try json.string(key)
      }
    }
    let path = representation.path
    guard path.hasPrefix(BoardManifest.contents), !path.split(separator: "/").contains("..") else {
      throw json.error("path: '\(path)' is not a path below \(BoardManifest.contents)")
    }
    return representation
  }
}
