import DragboardClient

/// A row of a board with its position and the name of its section.
struct PlacedRow: Sendable {
  let row: Row
  let position: RowPosition
  let section: String

  init(_ row: Row, at position: RowPosition, in sections: [String]) {
    self.row = row
    self.position = position
    section = sections.indices.contains(position.section) ? sections[position.section] : ""
  }

  /// The position as a person writes it: `3` in the first section, `errands:3` in another section.
  var place: String {
    position.section == 0 ? "\(position.row)" : "\(section):\(position.row)"
  }

  /// `p` for pinned, `l` for locked, `f` for a locked position, `s` for a row of a stack.
  var marks: String {
    (row.isPinned ? "p" : "") + (row.isEditable ? "" : "l") + (row.isMovable ? "" : "f")
      + (row.attributes.stack.isEmpty ? "" : "s")
  }

  /// The text for a person: the row's label.
  var text: String { row.label }

  var json: JSON {
    [
      "section": JSON(position.section), "section_name": .string(section),
      "row": JSON(position.row), "position": .string(position.description),
      "id": .string(row.id.description),
      "preview": .string(row.preview), "types": JSON(texts: row.types),
      "bytes": JSON(row.byteCount),
      "editable": .boolean(row.isEditable), "movable": .boolean(row.isMovable),
      "pinned": .boolean(row.isPinned),
      "created": .string(Amounts.timestamp(row.created)), "source": .string(row.source),
      "name": .string(row.suggestedName),
      "modified": JSON(text: row.attributes.modified.map { Amounts.timestamp($0) }),
      "application": .string(row.attributes.application), "stack": .string(row.attributes.stack),
      "mode": JSON(text: row.attributes.mode.map { String($0, radix: 8) }),
    ]
  }

  fileprivate func entry(at now: Duration) -> Listing.Entry {
    Listing.Entry(
      json: json,
      cells: [
        place, row.hasMoreLines ? text + " ⏎" : text,
        row.types.map(\.shortName).joined(separator: " "),
        Amounts.age(of: row.created, at: now), String(row.id.description.prefix(8)), marks,
      ],
      fields: [
        place, row.id.description,
        row.types.count == 1
          ? row.types[0].rawValue : row.types.map(\.rawValue).joined(separator: ","),
        marks, Amounts.timestamp(row.created), text,
      ])
  }
}

extension FoundPage {
  /// Returns the rows with the names of their sections.
  func placed(_ sections: [String]) -> [PlacedRow] {
    rows.map { PlacedRow($0.row, at: $0.position, in: sections) }
  }
}

extension Row {
  /// The number of Unicode scalars at which the daemon cuts a preview.
  private static let maxPreviewCount = 200

  /// Whether the text has more lines than the preview.
  ///
  /// It is false for a row with several types, because the size of its text is unknown.
  fileprivate var hasMoreLines: Bool {
    types == [.plainText] && !preview.isEmpty && byteCount > preview.utf8.count + 1
  }

  /// The text for a person: the first line of the text, after the name if there is one.
  ///
  /// Without text, it is the name or the type, and the size.
  var label: String {
    guard preview.isEmpty else {
      // Most previews have fewer bytes, and scalars are counted one by one.
      let isCut =
        preview.utf8.count >= Self.maxPreviewCount
        && preview.unicodeScalars.count >= Self.maxPreviewCount
      return (suggestedName.isEmpty ? "" : "[\(suggestedName)] ") + preview + (isCut ? "…" : "")
    }
    let name = suggestedName.isEmpty ? types.first?.shortName ?? "" : suggestedName
    return "[\(name), \(Amounts.bytes(byteCount))]"
  }
}

extension Listing {
  /// Creates a list of rows; if they are on several boards, the first column names the board.
  static func ofRows(_ options: ListingOptions, onSeveralBoards: Bool = false) -> Listing {
    Listing(
      (onSeveralBoards ? ["BOARD"] : []) + [
        .number("ROW"), Table.Column(head: "TEXT", isFlexible: true), .optional("TYPES"),
        Table.Column(head: "AGE", isNumber: true, isOptional: true), .optional("ID"), .optional(""),
      ], options)
  }

  /// Prints rows, with the name of their board if the list has a column for it.
  mutating func print(_ rows: [PlacedRow], ofBoard board: String? = nil) throws(Failure) {
    let now = Amounts.now
    try print(
      rows.map { row in
        let entry = row.entry(at: now)
        return board.map { entry.withFirstColumn("board", $0) } ?? entry
      })
  }
}

extension ContentType {
  /// A short word for the type, for a narrow column.
  var shortName: String {
    switch self {
    case .plainText, "text/plain": "text"
    case .uriList: "uris"
    case .data: "data"
    default:
      rawValue.split(separator: ";").first?.split(separator: "/").last.map(String.init) ?? rawValue
    }
  }
}
