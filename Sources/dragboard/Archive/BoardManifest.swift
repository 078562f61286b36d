import DragboardClient

/// The description of a board, without its rows, in `board.json` of an archive.
struct BoardManifest: Equatable, Sendable {
  /// The path of the manifest in the archive.
  static let path = "board.json"
  /// The directory of the contents in the archive.
  static let contents = "contents/"
  /// The format that this release writes.
  static let format = 2
  /// The formats that this release reads.
  ///
  /// In format 1, every row has all members, and no text.
  static let formats = 1...2
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
    /// The plain text, if this is the only representation and has few bytes; otherwise nil.
    var text: String?
    /// The types in order of fidelity, each with the path of its bytes; empty if there is a text.
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
  /// Creates the description of a row with a text, or whose contents are at `paths`.
  init(_ row: Row, inSection section: Int, text: String?, paths: [String]) {
    self.init(
      section: section, attributes: row.attributes, isEditable: row.isEditable,
      isMovable: row.isMovable, isPinned: row.isPinned, isFromClipboard: row.isFromClipboard,
      text: text, representations: zip(row.types, paths).map { .init(type: $0, path: $1) })
  }

  /// Returns the line of the manifest, without members that have their usual values.
  ///
  /// `created` is for people. The import uses `source` only to recognise rows of the clipboard.
  func line(created: Duration, source: String) -> String {
    var members: [JSON.Member] = []
    func add(_ name: String, _ value: JSON, unless isUsual: Bool) {
      if !isUsual { members.append(JSON.Member(name: name, value: value)) }
    }
    add("section", JSON(section), unless: section == 0)
    add("name", .string(attributes.name), unless: attributes.name.isEmpty)
    if let modified = attributes.modified {
      add("modified", JSON(modified.microseconds), unless: false)
    }
    add("application", .string(attributes.application), unless: attributes.application.isEmpty)
    add("stack", .string(attributes.stack), unless: attributes.stack.isEmpty)
    if let mode = attributes.mode { add("mode", JSON(Int(mode)), unless: false) }
    add("editable", .boolean(isEditable), unless: isEditable)
    add("movable", .boolean(isMovable), unless: isMovable)
    add("pinned", .boolean(isPinned), unless: !isPinned)
    add("created", JSON(created.microseconds), unless: false)
    add("source", .string(source), unless: source.isEmpty)
    if let text {
      add("text", .string(text), unless: false)
    } else {
      let all = representations.map { representation -> JSON in
        ["type": .string(representation.type.rawValue), "path": .string(representation.path)]
      }
      add("representations", .array(all), unless: false)
    }
    return JSON.object(members).description
  }
}

extension Duration {
  /// The duration in microseconds.
  fileprivate var microseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
  }
}
