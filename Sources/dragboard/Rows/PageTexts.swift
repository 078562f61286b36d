import DragboardClient

/// The contents of the rows of a page that have only a short plain text, read by one call.
///
/// Reading each row by a call of its own would take a hundred times as long.
enum PageTexts {
  /// The maximum number of bytes of a text.
  static let maxByteCount = 4 << 10
  /// The maximum number of bytes of the longer texts that the call also reads.
  private static let maxOtherByteCount = 1 << 20

  /// Whether the row has only a short plain text.
  static func contains(_ row: Row) -> Bool {
    row.types == [.plainText] && row.byteCount <= maxByteCount
  }

  /// Returns the texts by the indexes of the rows.
  ///
  /// GetTexts replaces some scalars by U+FFFD and cuts long texts. So texts with U+FFFD, or of another
  /// size than the row, are left out.
  ///
  /// - Parameters:
  ///   - rows: consecutive rows.
  ///   - section: the index of their section.
  ///   - first: the index of the first row.
  ///   - board: the board, which must not change during the call.
  /// - Returns: the texts.
  /// - Throws: `invalidArguments` if the section has become shorter.
  static func read(
    _ rows: [Row], ofSection section: Int, from first: Int, on board: Board
  ) async throws(DragboardError) -> [Int: String] {
    let large = rows.reduce(0) {
      $1.types.contains(.plainText) && !contains($1) ? $0 + $1.byteCount : $0
    }
    guard rows.contains(where: contains), large <= maxOtherByteCount else { return [:] }
    var texts: [Int: String] = [:]
    var next = 0
    while next < rows.count {
      let some = try await board.texts(
        ofSection: section, from: first + next, count: rows.count - next)
      guard !some.isEmpty else { break }
      for (offset, text) in some.enumerated() where next + offset < rows.count {
        let row = rows[next + offset]
        guard contains(row), text.utf8.count == row.byteCount,
          !text.unicodeScalars.contains("\u{FFFD}")
        else { continue }
        texts[next + offset] = text
      }
      next += some.count
    }
    return texts
  }
}
