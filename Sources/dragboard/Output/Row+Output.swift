import DragboardClient

/// A row of a board, where it stands, and what its section is called.
struct PlacedRow: Sendable {
  let row: Row
  let position: RowPosition
  let section: String

  /// The row's place as a person would write it: `3`, and `later:3` in any but the first section.
  var place: String {
    position.section == 0 ? "\(position.row)" : "\(section):\(position.row)"
  }

  /// What stands for its gates: `p` for pinned, `l` for locked.
  var marks: String { (row.isMovable ? "" : "p") + (row.isEditable ? "" : "l") }

  /// What a person reads of it: its text, or what else it is.
  var text: String {
    guard row.preview.isEmpty else { return row.preview }
    let name = row.suggestedName.isEmpty ? row.types.first?.shortName ?? "" : row.suggestedName
    return "[\(name), \(Amounts.bytes(row.byteCount))]"
  }

  /// The row as a program reads it.
  var json: JSON {
    [
      "section": JSON(position.section), "section_name": .string(section),
      "row": JSON(position.row), "id": .string(row.id.description),
      "preview": .string(row.preview), "types": JSON(texts: row.types),
      "bytes": JSON(row.byteCount),
      "editable": .boolean(row.isEditable), "movable": .boolean(row.isMovable),
      "created": .string(Amounts.timestamp(row.created)), "source": .string(row.source),
      "name": .string(row.suggestedName),
    ]
  }

  /// The row as a line of a pipe: fields with tabs between them, none of them cut.
  var fields: String {
    [
      TerminalText(place).text, row.id.description,
      // A parameter of a type can hold a tab.
      TerminalText(row.types.map(\.rawValue).joined(separator: ",")).text, marks,
      Amounts.timestamp(row.created), TerminalText(row.preview).text,
    ].joined(separator: "\t")
  }
}

extension ContentType {
  /// A word for the type, for a narrow column.
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
