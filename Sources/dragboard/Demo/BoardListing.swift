/// A board as it was read at one revision.
struct BoardListing: Equatable, Encodable {
  /// A row and where it stands.
  struct Row: Equatable, Encodable {
    /// Where its section stands.
    let section: Int
    /// What its section is called.
    let sectionName: String
    /// Where it stands in its section.
    let row: Int
    /// What the board shows of its text.
    let text: String
    /// Its types, in order of fidelity.
    let types: [String]
    /// Its id.
    let id: String

    private enum CodingKeys: String, CodingKey {
      case section, row, text, types, id
      case sectionName = "section_name"
    }
  }

  /// The board's name.
  let board: String
  /// The revision that was read.
  let revision: Int
  /// Its rows in order.
  let rows: [Row]
}

extension BoardListing {
  /// The listing as a table: a caption, a head, and a line for each row.
  var table: [String] {
    let head = ["section", "row", "text", "types", "id"]
    let cells = rows.map { row in
      [
        "\(row.section) \(row.sectionName)", "\(row.row)", row.text,
        row.types.joined(separator: " "), String(row.id.prefix(8)),
      ]
    }
    let widths = head.indices.map { column in
      ([head] + cells).map { $0[column].count }.max() ?? 0
    }
    return ["board \"\(board)\", revision \(revision)"]
      + ([head] + cells).map { Self.line($0, widths) }
      + (rows.isEmpty ? ["(no rows)"] : [])
  }

  private static func line(_ cells: [String], _ widths: [Int]) -> String {
    let padded = zip(cells, widths).map { cell, width in
      cell + String(repeating: " ", count: width - cell.count)
    }
    return padded.joined(separator: "  ").trimmingSuffix { $0 == " " }
  }
}

extension String {
  fileprivate func trimmingSuffix(while isPadding: (Character) -> Bool) -> String {
    String(reversed().drop(while: isPadding).reversed())
  }
}
