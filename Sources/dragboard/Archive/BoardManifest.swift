import DragboardClient

/// The description of a board, without its rows, in `board.json` of an archive.
struct BoardManifest: Equatable, Sendable {
  /// The path of the manifest in the archive.
  static let path = "board.json"
  /// The directory of the contents in the archive.
  static let contents = "contents/"
  /// The format that this release writes and reads.
  static let format = 1
  /// The maximum number of representations of a row.
  static let maxRepresentations = 256

  /// The name of the board.
  var name = ""
  /// The names of the sections in order.
  var sections: [String] = []
  /// The types and patterns that the board accepts in a drop.
  var acceptedTypes: [ContentType] = []
  /// The maximum number of rows; 0 for the limit of the daemon.
  var maxRows = 0
  /// Whether a drag of several rows within the board may move them.
  var movesMultipleRows = false
  /// The number of rows that the board retains; 0 for all rows.
  var retainedRows = 0
  /// The time for which the board retains a row, in seconds; 0 for no limit.
  var retainedSeconds = 0
  /// Whether the insertion of a content that is already on the board moves the row with this
  /// content instead.
  var movesDuplicates = false

  /// A row of the manifest.
  struct Row: Equatable, Sendable {
    /// The index of the row's section.
    var section = 0
    /// The name, the modification time, the application and the stack.
    var attributes = ItemAttributes()
    var isEditable = true
    var isMovable = true
    var isPinned = false
    var isFromClipboard = false
    /// The types in order of fidelity, each with the path of its bytes.
    var representations: [Representation] = []
  }

  /// A representation of a row.
  struct Representation: Equatable, Sendable {
    var type: ContentType = ""
    var path = ""
  }
}

extension BoardManifest {
  init(_ info: BoardInfo) {
    self.init(
      name: info.name, sections: info.sections, acceptedTypes: info.acceptedTypes,
      maxRows: info.maxRows, movesMultipleRows: info.movesMultipleRows,
      retainedRows: info.retainedRows, retainedSeconds: Int(info.retainedTime.components.seconds),
      movesDuplicates: info.movesDuplicates)
  }

  /// The beginning of the manifest, up to the first row.
  var head: String {
    let board: JSON = [
      "name": .string(name), "sections": JSON(texts: sections),
      "accepted_types": JSON(texts: acceptedTypes), "max_rows": JSON(maxRows),
      "moves_multiple_rows": .boolean(movesMultipleRows), "retain_rows": JSON(retainedRows),
      "retain_seconds": JSON(retainedSeconds), "moves_duplicates": .boolean(movesDuplicates),
    ]
    return "{\"format\":\(Self.format),\n\"board\":\(board),\n\"rows\":["
  }

  /// The end of the manifest, after the last row.
  static let tail = "\n]}\n"
}

extension BoardManifest.Row {
  /// Creates the description of a row whose contents are at `paths`.
  init(_ row: Row, inSection section: Int, paths: [String]) {
    self.init(
      section: section, attributes: row.attributes, isEditable: row.isEditable,
      isMovable: row.isMovable, isPinned: row.isPinned, isFromClipboard: row.isFromClipboard,
      representations: zip(row.types, paths).map { .init(type: $0, path: $1) })
  }

  /// Returns the line of the manifest.
  ///
  /// `created` is for people. The import uses `source` only to recognise rows of the clipboard.
  func line(created: Duration, source: String) -> String {
    let json: JSON = [
      "section": JSON(section), "name": .string(attributes.name),
      "modified": attributes.modified.map { JSON($0.microseconds) } ?? .null,
      "application": .string(attributes.application), "stack": .string(attributes.stack),
      "editable": .boolean(isEditable),
      "movable": .boolean(isMovable), "pinned": .boolean(isPinned),
      "created": JSON(created.microseconds), "source": .string(source),
      "representations": .array(
        representations.map { ["type": .string($0.type.rawValue), "path": .string($0.path)] }),
    ]
    return json.description
  }
}

extension Duration {
  /// The duration in microseconds.
  fileprivate var microseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
  }
}
