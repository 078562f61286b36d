import BoardModel
import DBus
import DragModel
import DragboardInterface

/// The methods of `org.dragboard.Dragboard1.Board` that insert, change, move and delete.
extension BoardObject {
  // MARK: Inserting

  func insertText(_ section: UInt32, _ row: Int32, _ text: String) throws(DBusError) -> String {
    try insert([.plainText(text)], section, row, argument: "text")[0]
  }

  func insertTexts(
    _ section: UInt32, _ row: Int32, _ texts: [String]
  ) throws(DBusError) -> [String] {
    // A list that has no room is refused before anything is made of it.
    try checkInsertion(of: texts.count, at: path(section, try destination(row)))
    return try insert(texts.map { .plainText($0) }, section, row, argument: "texts")
  }

  func insertData(
    _ section: UInt32, _ row: Int32, _ type: String, _ data: [UInt8]
  ) throws(DBusError) -> String {
    let type = try ContentType(argument: "type", type)
    let content = try RowContent.Representation(type, data, argument: "data")
    return try insert([content], section, row, argument: "data")[0]
  }

  private func insert(
    _ contents: [RowContent.Representation], _ section: UInt32, _ row: Int32, argument: String
  ) throws(DBusError) -> [String] {
    let path = path(section, try destination(row))
    try checkInsertion(of: contents.count, at: path)
    let largest = service.limits.maxRepresentationBytes
    guard contents.allSatisfy({ $0.data.count <= largest }) else {
      throw .limit("\(argument): max-representation-bytes", largest)
    }
    return try insert(contents.map { RowContent(inserted: $0, at: service.now()) }, at: path)
      .map(service.ids.id)
  }

  /// Refuses a place that is none, and more rows than the board has room for.
  private func checkInsertion(of count: Int, at path: IndexPath) throws(DBusError) {
    do throws(BoardError) {
      try board.checkInsertion(of: count, at: path, maxRows: maxRows)
    } catch { throw answer(error) }
  }

  /// Inserts rows with those contents, one after the other from `path` on.
  ///
  /// - Throws: InvalidArgs for a place that is none, LimitsExceeded where the board would be too full, IOError.
  @discardableResult
  func insert(_ contents: [RowContent], at path: IndexPath) throws(DBusError) -> [RowID] {
    try checkInsertion(of: contents.count, at: path)
    guard !contents.isEmpty else { return [] }
    let rows = try service.batch.write { () throws(RepositoryError) in
      let rows = try service.repository.reserveRows(contents.count)
      for (row, content) in zip(rows, contents) {
        try service.repository.put(content, of: row, isNew: true)
      }
      return rows
    }
    try edit { board throws(BoardError) in
      try board.insert(rows, at: path, maxRows: maxRows)
    }
    return rows
  }

  // MARK: Changing

  func setText(_ item: String, _ text: String) throws(DBusError) -> UInt64 {
    let row = try row(item)
    let content = RowContent.Representation.plainText(text)
    let largest = service.limits.maxRepresentationBytes
    let old = try summary(of: row)
    let isSame = try holds(row, old, just: content)
    if let gates = board.gates(of: row), !gates.contains(.editable) {
      throw answer(.notEditable(row))
    }
    guard content.data.count <= largest else {
      throw .limit("text: max-representation-bytes", largest)
    }
    guard !isSame else { return board.revision }
    try service.batch.write { () throws(RepositoryError) in
      try service.sessions.preserveContents(of: [row])
      try service.repository.put(RowContent(changed: old, to: content), of: row, isNew: false)
    }
    return try edit { board throws(BoardError) in try board.reload(row) }
  }

  /// Whether the row holds that representation and no other.
  private func holds(
    _ row: RowID, _ summary: RowSummary, just content: RowContent.Representation
  ) throws(DBusError) -> Bool {
    guard summary.types.count == 1, summary.types[0].type == content.type,
      summary.types[0].byteCount == content.data.count
    else { return false }
    return try data(of: row, at: 0) == content.data
  }

  func setGate(_ gate: RowGates, open: Bool, of item: String) throws(DBusError) -> UInt64 {
    let row = try row(item)
    return try edit { board throws(BoardError) in
      try board.setGates(gate, open: open, of: row)
    }
  }

  // MARK: Moving and deleting

  func moveItems(_ items: [String], _ section: UInt32, _ row: Int32) throws(DBusError) -> UInt64 {
    let destination = try destination(row)
    let rows = try rows(items)
    return try edit { board throws(BoardError) in
      try board.move(rows, toSection: Int(section), row: destination)
    }
  }

  func deleteItems(_ items: [String]) throws(DBusError) -> UInt64 {
    let rows = try rows(items)
    return try edit { board throws(BoardError) in try board.delete(rows) }
  }

  // MARK: Sections and settings

  func insertSection(_ name: String, _ section: Int32) throws(DBusError) -> UInt64 {
    let index = try destination(section, argument: "section")
    return try edit { board throws(BoardError) in
      try board.insertSection(named: name, at: index, maxSections: service.limits.maxSections)
    }
  }

  /// The most types that a board can be said to accept.
  private static let mostAcceptedTypes = 256

  func setAcceptedTypes(_ types: [String]) throws(DBusError) {
    var accepted: [String] = []
    for type in types.prefix(Self.mostAcceptedTypes) {
      let query = try TypeQuery(argument: "types", type).description
      if !accepted.contains(query) { accepted.append(query) }
    }
    guard types.count <= Self.mostAcceptedTypes else {
      throw .limit("types: the number of accepted types", Self.mostAcceptedTypes)
    }
    try changeHeader { $0.acceptedTypes = accepted }
  }
}

extension RowContent {
  /// What an insert makes of a representation.
  init(inserted representation: Representation, at created: UInt64) {
    self.init(
      created: created, source: "", name: "", preview: representation.preview,
      representations: [representation])
  }

  /// What SetText makes of a row.
  init(changed old: RowSummary, to representation: Representation) {
    self.init(
      created: old.created, source: old.source, name: old.name, preview: representation.preview,
      representations: [representation])
  }
}

extension RowContent.Representation {
  static func plainText(_ text: String) -> Self {
    Self(type: .plainText, data: Array(text.utf8))
  }

  /// Bytes of a type.
  ///
  /// - Throws: InvalidArgs for plain text that is no UTF-8.
  init(_ type: ContentType, _ data: [UInt8], argument: String) throws(DBusError) {
    if type.isPlainText, let place = WireText.firstInvalidByte(in: data.span) {
      throw DBusError(
        .invalidArgs,
        "\(argument) is not valid UTF-8 from byte \(place) on, and \(type) is; text of another encoding is text/plain"
      )
    }
    self.init(type: type, data: data)
  }

  /// The first line; empty for what is no plain text.
  var preview: String {
    guard type.isPlainText else { return "" }
    return Preview.of(String(decoding: data, as: UTF8.self))
  }
}
