import DragboardClient

/// The paths of the contents of a board in its archive: `contents/0003-report.pdf`.
///
/// The number of the row makes each path unique. All numbers have the same number of digits, so
/// that the names have the same order as the rows.
struct ContentPaths {
  private let digits: Int

  /// - Parameter count: the number of rows of the board.
  init(rows count: Int) { digits = max("\(count - 1)".utf8.count, 4) }

  /// Returns the path of each representation of a row.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - number: the number of rows before it, in all sections.
  /// - Returns: the paths in the order of the types.
  func paths(of row: Row, number: Int) -> [String] {
    let start = Self.padded(number, digits)
    let suggested = FileName(suggested: row.suggestedName)?.text
    let width = "\(row.types.count)".utf8.count
    return row.types.enumerated().map { index, type in
      let part = row.types.count == 1 ? "" : "-" + Self.padded(index + 1, width)
      let ending = FileType.ending(of: type)
      let name = suggested.map { index == 0 || $0.hasSuffix(ending) ? "-\($0)" : "-\($0)\(ending)" }
      return BoardManifest.contents + FileName(start + part + (name ?? ending)).text
    }
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(digits - text.utf8.count, 0)) + text
  }
}
