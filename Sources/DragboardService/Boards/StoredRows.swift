import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore

/// The contents of a board's rows, limited to the caller's permissions.
struct StoredRows {
  private let store: BoardStore
  private let ids: ItemIDs
  private let access: BoardAccess

  init(_ ids: ItemIDs, for command: Command) {
    (store, self.ids, access) = (command.step.store, ids, command.access)
  }

  // MARK: Contents

  /// Returns the summary of a row; nil if the database has lost the row.
  func storedSummary(of row: RowID) throws(DBusError) -> RowSummary? {
    let summary: RowSummary?
    do throws(StoreError) { summary = try store.summary(of: row) } catch { throw error.answer }
    if summary == nil { store.noteMissing(row) }
    return summary
  }

  /// Returns the summary of a row.
  ///
  /// - Throws: IOError if the database has lost the row.
  func summary(of row: RowID) throws(DBusError) -> RowSummary {
    if let summary = try storedSummary(of: row) { return summary }
    throw missing(row)
  }

  /// Returns the content of a row.
  ///
  /// - Throws: IOError if the database has lost the row.
  func rowContent(of row: RowID) throws(DBusError) -> RowContent {
    do throws(StoreError) {
      if let content = try store.rowContent(of: row) { return content }
    } catch { throw error.answer }
    store.noteMissing(row)
    throw missing(row)
  }

  private func missing(_ row: RowID) -> DBusError {
    DBusError(.ioError, "item: the contents of \(ids.id(of: row)) are missing")
  }

  /// Returns the types of the row in order of fidelity; none if the caller may not read the row.
  func types(of row: RowID) throws(DBusError) -> [RowSummary.Representation] {
    let summary = try summary(of: row)
    return access.reads(rowOf: summary.source) ? summary.types : []
  }

  /// Returns the bytes of the representation at an index in the order of fidelity.
  func content(of row: RowID, at ordinal: Int) throws(DBusError) -> Payload {
    do throws(StoreError) { return try store.content(of: row, at: ordinal) } catch {
      throw error.answer
    }
  }

  /// Returns the row's plain text as a D-Bus string of at most `limit` bytes; nil if the row has no
  /// text, or if the store has lost the text.
  func plainText(of row: RowID, limit: Int) throws(DBusError) -> String? {
    do throws(StoreError) {
      return try store.text(of: row, limit: limit).map {
        WireText.sanitized($0).prefix(ofBytes: limit)
      }
    } catch {
      // A lost text must not hide the other texts. GetText reports the loss.
      guard error.isOfOneContent else { throw error.answer }
      return nil
    }
  }

  // MARK: Replies

  /// Returns a row as an element of the reply of GetRows, and the approximate size of the element
  /// in bytes.
  ///
  /// If the caller may not read the row, the element has no content.
  func wireRow(_ entry: RowEntry, _ summary: RowSummary) -> (BoardInterface.Row, Int) {
    let mayChange = access.changes(rowOf: summary.source)
    var attributes = RowAttributes(
      isEditable: entry.isEditable && mayChange, isMovable: entry.isMovable && mayChange)
    guard access.reads(rowOf: summary.source) else {
      return (Structure(ids.id(of: entry.row), "", [], attributes), 256)
    }
    let types = summary.types.map(\.type.mime)
    attributes.isPinned = entry.isPinned
    attributes.created = summary.created
    attributes.source = summary.source
    attributes.byteCount = summary.types.reduce(0) { $0 + UInt64($1.byteCount) }
    attributes.item = summary.attributes.wire
    let textBytes =
      summary.preview.utf8.count + summary.source.utf8.count + attributes.item.name.utf8.count
    return (
      Structure(ids.id(of: entry.row), summary.preview, types, attributes),
      types.reduce(280 + textBytes) { $0 + $1.utf8.count + 8 }
    )
  }

  // MARK: Rights

  /// Returns whether the caller may read the row.
  func mayRead(_ row: RowID) throws(DBusError) -> Bool {
    if access.readsEverything { return true }
    return try storedSummary(of: row).map { access.reads(rowOf: $0.source) } ?? false
  }

  /// Refuses rows that the caller may not read.
  func checkMayRead(_ rows: [RowID]) throws(DBusError) {
    guard !access.readsEverything else { return }
    try check(rows) { source in access.reads(rowOf: source) }
  }

  /// Refuses rows that the caller may not change, move or delete.
  func checkMayChange(_ rows: [RowID]) throws(DBusError) {
    guard !access.governs else { return }
    try check(rows) { source in access.changes(rowOf: source) }
  }

  /// Returns whether the caller may change the row.
  func mayChange(_ row: RowID) -> Bool { (try? checkMayChange([row])) != nil }

  private func check(
    _ rows: [RowID], _ isAllowed: (_ source: String) -> Bool
  ) throws(DBusError) {
    for row in rows where try !isAllowed(summary(of: row).source) {
      throw DBusError(
        .accessDenied,
        "item: \(ids.id(of: row)) belongs to another client (a sandboxed client has access to its own rows only)"
      )
    }
  }
}

extension String {
  /// Returns the longest prefix of whole Unicode scalars with at most `limit` bytes of UTF-8.
  fileprivate func prefix(ofBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var end = utf8.index(startIndex, offsetBy: limit)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return String(unicodeScalars[..<end])
  }
}
