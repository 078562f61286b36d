internal import BoardModel
internal import DragModel
internal import SQLite

extension RowTable {
  /// Returns the row's plain text, up to a number of bytes.
  ///
  /// The rest of a longer text is not read.
  func text(of row: RowID, limit: Int) throws(StoreError) -> String? {
    switch try findText(of: row, limit: limit) {
    case .whole(let text): return text
    case .inline(let key):
      let start = try transaction.read { () throws(SQLiteError) in
        try transaction.database.blobPrefix(
          table: "representation", column: "data", id: key, count: max(0, limit))
      }
      return String(decoding: start.droppingCutScalar, as: UTF8.self)
    case .file(let place):
      guard limit < place.byteCount else {
        return String(decoding: try readAll(place), as: UTF8.self)
      }
      let start = try files.folder.readPrefix(
        limit, of: try contentID(place.id), byteCount: place.byteCount)
      return String(decoding: start.droppingCutScalar, as: UTF8.self)
    case nil: return nil
    }
  }

  /// A row's plain text, or the location of its beginning.
  private enum FoundText {
    case whole(String)
    case inline(key: Int64)
    case file(FilePlace)

    init(_ row: ResultRow) {
      if let place = FilePlace(row, 2, 3) {
        self = .file(place)
      } else if let text = row.text(2) {
        self = .whole(text)
      } else {
        self = .inline(key: row.integer(0))
      }
    }
  }

  private func findText(
    of row: RowID, limit: Int
  ) throws(StoreError) -> FoundText? {
    let (first, last) = RepresentationKey.range(of: row)
    var found: FoundText?
    try transaction.read { () throws(SQLiteError) in
      try textOf.forEach(first, last, Int64(limit)) { row in
        guard found == nil, row.text(1).map(Self.isPlainText) ?? true else { return }
        found = FoundText(row)
      }
    }
    return found
  }

  private static func isPlainText(_ type: String) -> Bool {
    (try? MIMEType(stored: type))?.isPlainText ?? false
  }
}

extension [UInt8] {
  /// The bytes without an incomplete UTF-8 sequence at the end.
  fileprivate var droppingCutScalar: ArraySlice<UInt8> {
    guard let lead = indices.suffix(4).last(where: { self[$0] & 0xC0 != 0x80 }) else {
      return self[...]
    }
    let length = self[lead] < 0x80 ? 1 : self[lead] < 0xE0 ? 2 : self[lead] < 0xF0 ? 3 : 4
    return lead + length > count ? self[..<lead] : self[...]
  }
}
