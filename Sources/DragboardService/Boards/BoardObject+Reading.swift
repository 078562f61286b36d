import BoardModel
import DBus
import DragModel
import DragboardInterface

/// The methods of `org.dragboard.Dragboard1.Board` that read.
extension BoardObject {
  /// The most rows in one reply.
  private static let largestPage = 10_000
  /// The most bytes in one page of rows or texts, and the most of one text in it.
  private static let largestPageBytes = 8 << 20
  private static let largestTextInPage = 1 << 20
  /// An array ends there on the bus.
  static let largestArray = 64 << 20

  func getRows(
    _ section: UInt32, _ first: UInt32, _ count: UInt32
  ) throws(DBusError) -> (UInt64, [BoardInterface.Row]) {
    var rows: [BoardInterface.Row] = []
    var room = Self.largestPageBytes
    for entry in try page(section, first, count) {
      let (row, size) = wireRow(entry, try summary(of: entry.row))
      room -= size
      guard room >= 0 || rows.isEmpty else { break }
      rows.append(row)
    }
    return (board.revision, rows)
  }

  func getTexts(
    _ section: UInt32, _ first: UInt32, _ count: UInt32
  ) throws(DBusError) -> [String] {
    var texts: [String] = []
    var room = Self.largestPageBytes
    for entry in try page(section, first, count) {
      let text = try plainText(of: entry.row, limit: Self.largestTextInPage) ?? ""
      room -= text.utf8.count + 8
      guard room >= 0 || texts.isEmpty else { break }
      texts.append(text)
    }
    return texts
  }

  func getIndexPath(_ item: String) throws(DBusError) -> (UInt32, UInt32) {
    guard let path = service.ids.row(of: item).flatMap(board.indexPath) else {
      throw noSuchItem(item, argument: "item")
    }
    return (UInt32(path.section), UInt32(path.row))
  }

  func getTypes(_ item: String) throws(DBusError) -> [String] {
    try summary(of: try row(item)).types.map(\.type.mime)
  }

  func getText(_ item: String) throws(DBusError) -> String {
    guard let text = try plainText(of: try row(item), limit: Self.largestArray + 1) else {
      throw DBusError(
        .noSuchRepresentation, "item \(item) has no plain text; GetTypes says what it has")
    }
    try checkFits(text.utf8.count)
    return text
  }

  func getData(_ item: String, _ type: String) throws(DBusError) -> [UInt8] {
    let query = try TypeQuery(argument: "type", type)
    let row = try row(item)
    let types = try summary(of: row).types
    guard let ordinal = types.firstIndex(where: { query.matches($0.type) }) else {
      throw DBusError(
        .noSuchRepresentation,
        "item \(item) has no representation that conforms to \(query); GetTypes says what it has")
    }
    try checkFits(types[ordinal].byteCount)
    return try data(of: row, at: ordinal)
  }

  func getSnapshot() throws(DBusError) -> (UInt64, [BoardInterface.Section]) {
    guard board.count * 44 < Self.largestArray else {
      throw DBusError(
        .limitsExceeded,
        "\(board.count) ids are too many for one reply; GetRows gives them in pages")
    }
    let snapshot = board.snapshot()
    let sections = snapshot.sections.map { section in
      BoardInterface.Section(section.name, section.rows.map(service.ids.id))
    }
    return (snapshot.revision, sections)
  }

  // MARK: Contents

  func summary(of row: RowID) throws(DBusError) -> RowSummary {
    do throws(RepositoryError) {
      if let summary = try service.repository.summary(of: row) { return summary }
    } catch { throw error.answer }
    throw DBusError(.ioError, "the contents of item \(service.ids.id(of: row)) are missing")
  }

  func data(of row: RowID, at ordinal: Int) throws(DBusError) -> [UInt8] {
    do throws(RepositoryError) { return try service.repository.data(of: row, at: ordinal) } catch {
      throw error.answer
    }
  }

  /// The row's plain text as a D-Bus string, cut to at most that many bytes; nil where it has none.
  private func plainText(of row: RowID, limit: Int) throws(DBusError) -> String? {
    do throws(RepositoryError) {
      return try service.repository.text(of: row, limit: limit).map {
        WireText.sanitized($0).prefix(ofBytes: limit)
      }
    } catch { throw error.answer }
  }

  private func checkFits(_ byteCount: Int) throws(DBusError) {
    guard byteCount <= Self.largestArray else {
      throw DBusError(
        .limitsExceeded,
        "\(byteCount) bytes are too many for one reply, which ends at 64 MiB; GetFile gives them as a file"
      )
    }
  }

  // MARK: Pages

  private func page(
    _ section: UInt32, _ first: UInt32, _ count: UInt32
  ) throws(DBusError) -> [RowEntry] {
    guard let rowCount = board.rowCount(inSection: Int(section)) else {
      throw DBusError(
        .invalidArgs, "section is \(section); valid is 0 to \(board.sectionNames.count - 1)")
    }
    guard first <= rowCount else {
      throw DBusError(.invalidArgs, "first is \(first); valid is 0 to \(rowCount)")
    }
    return board.rows(
      inSection: Int(section), from: Int(first), count: min(Int(count), Self.largestPage))
  }

  /// A row as GetRows gives it, and about how many bytes it takes in the reply.
  private func wireRow(_ entry: RowEntry, _ summary: RowSummary) -> (BoardInterface.Row, Int) {
    let types = summary.types.map(\.type.mime)
    var attributes: [String: Variant] = [
      "editable": Variant(.boolean(entry.isEditable)),
      "movable": Variant(.boolean(entry.isMovable)),
      "created": Variant(.uint64(summary.created)),
      "source": Variant(.string(summary.source)),
      "size": Variant(.uint64(summary.types.reduce(0) { $0 + UInt64($1.byteCount) })),
    ]
    if !summary.name.isEmpty { attributes["name"] = Variant(.string(summary.name)) }
    let texts = [summary.preview, summary.source, summary.name] + types
    return (
      Structure(service.ids.id(of: entry.row), summary.preview, types, attributes),
      texts.reduce(256) { $0 + $1.utf8.count + 8 }
    )
  }
}

extension String {
  /// The text, or as many of its first Unicode scalars as fit into that many bytes of UTF-8.
  fileprivate func prefix(ofBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(startIndex, offsetBy: limit)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(unicodeScalars[..<end])
  }
}
