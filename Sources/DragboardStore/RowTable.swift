internal import BoardModel
internal import DragModel
internal import Files
internal import Glibc
internal import SQLite

/// The contents of rows.
///
/// The bytes of their representations are in the database or in files.
final class RowTable {
  let transaction: StoreTransaction
  let files: LargeContents
  private let traces: TraceTable
  private let ages: RowAgeTable
  let textOf: Statement
  private let insertOne, deleteAll, moveAll: Statement
  private let summaryOf, contentOf, contentIDs, inlineByteCount: Statement
  private let setSandbox, sandboxedRows, sandbox: Statement
  private let nameOf, setDigest, rowsOfDigest, rowsOfOldDigest: Statement

  init(
    _ transaction: StoreTransaction, _ files: LargeContents, _ traces: TraceTable,
    _ ages: RowAgeTable
  ) {
    let database = transaction.database
    func statement(_ sql: String) -> Statement { Statement(database, sql) }
    (self.transaction, self.files, self.traces, self.ages) = (transaction, files, traces, ages)
    insertOne = statement(
      """
      INSERT INTO representation(
        id, type, created, source, name, preview, data, file, sum, modified, application, stack, mode)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    deleteAll = statement("DELETE FROM representation WHERE id BETWEEN ? AND ?")
    moveAll = statement("UPDATE representation SET id = id + ?3 WHERE id BETWEEN ?1 AND ?2")
    // CASE avoids reading `data` that is not a preview. `length()` does not read a blob, either.
    summaryOf = statement(
      """
      SELECT type, coalesce(file, length(data)), created, source,
        CASE WHEN created NOT NULL THEN coalesce(preview, CASE WHEN file IS NULL THEN data END) END,
        name, modified, application, stack, sandbox, renewed, mode
      FROM representation WHERE id BETWEEN ? AND ? ORDER BY id
      """)
    contentOf = statement("SELECT data, file, sum FROM representation WHERE id = ?")
    textOf = statement(
      """
      SELECT id, type, CASE WHEN file NOT NULL OR length(data) <= ?3 THEN data END, file, sum
      FROM representation
      WHERE id BETWEEN ?1 AND ?2 AND (type IS NULL OR type LIKE 'text/plain;%') ORDER BY id
      """)
    nameOf = statement("SELECT name FROM representation WHERE id = ?")
    setSandbox = statement("UPDATE representation SET sandbox = ?2 WHERE id = ?1")
    sandbox = statement("SELECT 1 FROM representation WHERE id = ? AND sandbox NOT NULL")
    sandboxedRows = statement(
      "SELECT id, sandbox FROM representation WHERE sandbox NOT NULL ORDER BY id")
    setDigest = statement("UPDATE representation SET digest = ?2 WHERE id = ?1")
    rowsOfDigest = statement(
      "SELECT id FROM representation WHERE digest = ? ORDER BY id DESC LIMIT 1000")
    // Blobs follow all integers in the index.
    rowsOfOldDigest = statement("SELECT id FROM representation WHERE digest >= x''")
    contentIDs = statement(
      """
      SELECT CASE WHEN file NOT NULL THEN data END FROM representation WHERE id BETWEEN ? AND ?
      """)
    inlineByteCount = statement(
      "SELECT total(length(data)) FROM representation WHERE id BETWEEN ? AND ?")
  }
}

// MARK: Writing

extension RowTable {
  /// Refuses an invalid content.
  func check(_ content: RowContent) throws(StoreError) {
    let count = content.representations.count
    guard 1...RepresentationKey.places.count ~= count else {
      throw .badItem(
        "\(count) representations (expected 1 to \(RepresentationKey.places.count))")
    }
  }

  /// Inserts the content of a row that has none, as part of a write.
  func insert(_ content: RowContent, of row: RowID) throws(SQLiteError) {
    for (place, representation) in content.representations.enumerated() {
      let (key, isFirst) = (RepresentationKey.of(row, at: place), place == 0)
      switch representation.bytes {
      case .file(let file):
        try insert(
          key, representation, isFirst, content, preview: isFirst ? content.preview : nil, file.id,
          file)
      case .memory(let bytes):
        try bytes.span.bytes.withUnsafeBytes { data throws(SQLiteError) in
          let hasOwnPreview = isFirst && !data.hasSameBytes(as: content.preview)
          try insert(
            key, representation, isFirst, content, preview: hasOwnPreview ? content.preview : nil,
            data, nil)
        }
      case .sealed:
        break  // Cannot happen, because `settle` has moved the bytes.
      }
    }
    let origin = content.origin
    if let sandbox = origin.sandbox {
      try setSandbox.run(RepresentationKey.of(row, at: 0), sandbox)
    }
    if origin.renewal != nil {
      try ages.setAge(of: row, created: origin.created, renewal: origin.renewal)
    }
    if let digest = content.digest { try setDigest(of: row, digest) }
  }

  /// Sets the digest of a row's content, as part of a write.
  func setDigest(of row: RowID, _ digest: UInt64?) throws(SQLiteError) {
    try setDigest.run(
      RepresentationKey.of(row, at: 0), digest.map { Int64(bitPattern: $0) })
  }

  /// Inserts one representation.
  ///
  /// Columns with attributes of the whole content, such as its name, are set only for the first
  /// representation.
  private func insert(
    _ key: Int64, _ representation: RowContent.Representation, _ isFirst: Bool,
    _ content: RowContent, preview: String?, _ data: some Bindable, _ file: ContentFile?
  ) throws(SQLiteError) {
    let (type, attributes) = (representation.type, isFirst ? content.attributes : .none)
    try insertOne.run(
      key, type == .plainText ? nil : type.mime,
      isFirst ? Int64(clamping: content.origin.created) : nil,
      isFirst ? content.origin.source : nil, attributes.name.stored, preview, data,
      file.map { Int64($0.byteCount) }, file?.sum.map { Int64(bitPattern: $0) },
      attributes.modified.map { Int64(clamping: $0) }, attributes.application.stored,
      attributes.stack.stored, attributes.mode.map { Int64($0) })
  }

  /// Moves a content to a row that has none, as part of a write.
  func move(from source: RowID, to destination: RowID) throws(SQLiteError) {
    let (first, last) = RepresentationKey.range(of: source)
    try moveAll.run(first, last, RepresentationKey.of(destination, at: 0) - first)
  }

  /// Deletes the content of a row, as part of a write.
  ///
  /// - Returns: the number of deleted bytes in the database.
  func delete(_ row: RowID) throws(SQLiteError) -> Int {
    let (first, last) = RepresentationKey.range(of: row)
    let count = try inlineByteCount.first(first, last) { Int($0.integer(0)) } ?? 0
    try contentIDs.forEach(first, last) { row in
      if let id = ContentID(Array(row.bytes(0))) { files.noteDeletion(of: id) }
    }
    try traces.note()
    try deleteAll.run(first, last)
    return count
  }
}

// MARK: Reading

extension RowTable {
  /// Returns the summary of a row's content, without reading the bytes; nil if the row has no
  /// content.
  func summary(of row: RowID) throws(StoreError) -> RowSummary? {
    let (first, last) = RepresentationKey.range(of: row)
    var summary: RowSummary?
    var fault: MIMETypeError?
    try transaction.read { () throws(SQLiteError) in
      try summaryOf.forEach(first, last) { row in
        if summary == nil { summary = RowSummary(row) }
        do throws(MIMETypeError) {
          summary?.types.append(try RowSummary.Representation(row))
        } catch { fault = error }
      }
    }
    if let fault {
      throw .unreadable("a row in the database has an invalid content type: \(fault)")
    }
    return summary
  }

  /// Returns the bytes of the representation at a position in order of fidelity.
  ///
  /// It reads no file.
  func content(of row: RowID, at ordinal: Int) throws(StoreError) -> Payload {
    switch try findContent(of: row, at: ordinal) {
    case .inline(let bytes): .memory(bytes)
    case .file(let place):
      .file(
        ContentFile(
          published: try contentID(place.id), byteCount: place.byteCount, sum: place.sum,
          in: files.folder))
    case nil: throw .unreadable("the bytes of the row are missing in the database")
    }
  }

  /// The reference that the database stores for a content in a file.
  struct FilePlace {
    let id: [UInt8]
    let byteCount: Int
    let sum: UInt64?

    /// Reads the columns `data`, `file` and the next one, `sum`; nil if the content is in the
    /// database.
    init?(_ row: ResultRow, _ data: Int32, _ file: Int32) {
      guard let byteCount = row.optionalInteger(file) else { return nil }
      id = Array(row.bytes(data))
      self.byteCount = Int(byteCount)
      sum = row.optionalInteger(file + 1).map { UInt64(bitPattern: $0) }
    }
  }

  /// Reads and checks all bytes of a content.
  ///
  /// It creates no handle. Otherwise the release of the handle would cause a check for unneeded
  /// files.
  func readAll(_ place: FilePlace) throws(StoreError) -> [UInt8] {
    try files.folder.readAll(try contentID(place.id), byteCount: place.byteCount, sum: place.sum)
  }

  /// A representation's bytes, or their file.
  private enum FoundContent {
    case inline([UInt8])
    case file(FilePlace)

    init(_ row: ResultRow) {
      self = FilePlace(row, 0, 1).map { .file($0) } ?? .inline(Array(row.bytes(0)))
    }
  }

  private func findContent(
    of row: RowID, at place: Int
  ) throws(StoreError) -> FoundContent? {
    guard RepresentationKey.places ~= place else { return nil }
    return try transaction.read { () throws(SQLiteError) in
      try contentOf.first(RepresentationKey.of(row, at: place)) { FoundContent($0) }
    }
  }

  func contentID(_ bytes: [UInt8]) throws(StoreError) -> ContentID {
    if let id = ContentID(bytes) { return id }
    throw transaction.noted(
      .damaged(
        "the id of a content has \(bytes.count) bytes (expected \(ContentID.byteCount))"))
  }

  /// Returns the suggested name of a row; nil if the row has no name.
  func name(of row: RowID) throws(StoreError) -> String? {
    try transaction.read { () throws(SQLiteError) in
      try nameOf.first(RepresentationKey.of(row, at: 0)) { $0.text(0) } ?? nil
    }
  }

  /// Returns whether a row uses the share of a sandbox.
  func usesSandbox(_ row: RowID) throws(StoreError) -> Bool {
    try transaction.read { () throws(SQLiteError) in
      try sandbox.first(RepresentationKey.of(row, at: 0)) { _ in true } ?? false
    }
  }

  /// Returns the rows that use shares of sandboxes, by sandbox, in the order of their numbers.
  func rowsBySandbox() throws(StoreError) -> [String: [RowID]] {
    var rows: [String: [RowID]] = [:]
    try transaction.read { () throws(SQLiteError) in
      try sandboxedRows.forEach {
        rows[$0.text(1) ?? "", default: []].append(RowID(UInt64($0.integer(0) >> 8)))
      }
    }
    return rows
  }

  /// Returns the rows whose content has this digest, the newest first.
  func rows(withDigest digest: UInt64) throws(StoreError) -> [RowID] {
    var rows: [RowID] = []
    try transaction.read { () throws(SQLiteError) in
      try rowsOfDigest.forEach(Int64(bitPattern: digest)) {
        rows.append(RowID(UInt64($0.integer(0) >> 8)))
      }
    }
    return rows
  }

  /// Returns the rows whose digest must be computed again.
  func rowsWithOldDigest() throws(StoreError) -> [RowID] {
    var rows: [RowID] = []
    try transaction.read { () throws(SQLiteError) in
      try rowsOfOldDigest.forEach { rows.append(RowID(UInt64($0.integer(0) >> 8))) }
    }
    return rows
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func hasSameBytes(as text: String) -> Bool {
    text.utf8.span.bytes.withUnsafeBytes { hasSameBytes(as: $0) }
  }

  func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
    return memcmp(start, otherStart, count) == 0
  }
}

extension RowSummary {
  /// Reads the first row of the statement `item`.
  fileprivate init(_ row: ResultRow) {
    origin = RowOrigin(
      created: UInt64(clamping: row.integer(2)), source: row.text(3) ?? "", sandbox: row.text(9),
      renewal: row.optionalInteger(10).map { UInt64(clamping: $0) })
    preview = row.text(4) ?? ""
    attributes = ItemAttributes(row)
    types = []
  }
}

extension ItemAttributes {
  /// Reads the attributes in a result of the statement `item`.
  fileprivate init(_ row: ResultRow) {
    self = .none
    if let name = row.text(5) { self.name = Label(stored: name) }
    if let modified = row.optionalInteger(6) { self.modified = UInt64(clamping: modified) }
    if let application = row.text(7) { self.application = Label(stored: application) }
    if let stack = row.text(8) { self.stack = Label(stored: stack) }
    if let mode = row.optionalInteger(11) { self.mode = UInt32(clamping: mode) & Self.maxMode }
  }
}

extension Label {
  /// The label in the form of the database; nil if it is empty.
  fileprivate var stored: String? { text.isEmpty ? nil : text }
}

extension RowSummary.Representation {
  /// Reads any row of the statement `item`.
  fileprivate init(_ row: ResultRow) throws(MIMETypeError) {
    if let text = row.text(0) { type = try MIMEType(stored: text) } else { type = .plainText }
    byteCount = Bounds.bytes(row.integer(1))
  }
}
