import DBus
import DragboardInterface
import TestSupport

/// A board as it stands: what must be the same before and after a call that is refused.
struct BoardContents: Hashable {
  let revision: UInt64
  let sections: [String]
  let rows: [[String]]
  let texts: [[String]]
}

/// One row of GetRows.
struct RowView {
  let id: String
  let preview: String
  let types: [String]
  let attributes: [String: Value]

  init(_ row: BoardInterface.Row) {
    (id, preview, types) = (row.members.0, row.members.1, row.members.2)
    attributes = row.members.3.mapValues(\.value)
  }
}

/// The common calls of tests to boards.
extension BusClient {
  /// Inserts texts at the end of a section, or at a row of it.
  @discardableResult
  func insert(
    _ texts: [String], section: UInt32 = 0, at row: Int32 = -1,
    on board: ObjectPath = BusClient.board
  ) throws(DBusError) -> [String] {
    try call(BoardInterface.insertTexts, at: board, section, row, texts)
  }

  /// The texts of a section's rows.
  func texts(_ section: UInt32 = 0, of board: ObjectPath = BusClient.board) throws(DBusError)
    -> [String]
  {
    try call(BoardInterface.getTexts, at: board, section, 0, 10_000)
  }

  /// A section's rows.
  func rows(_ section: UInt32 = 0, of board: ObjectPath = BusClient.board) throws(DBusError)
    -> [RowView]
  {
    try call(BoardInterface.getRows, at: board, section, 0, 10_000).1.map(RowView.init)
  }

  /// Everything that a refused call must leave as it is.
  func contents(of board: ObjectPath = BusClient.board) throws(DBusError) -> BoardContents {
    let (revision, sections) = try call(BoardInterface.getSnapshot, at: board)
    var texts: [[String]] = []
    for section in sections.indices { texts.append(try self.texts(UInt32(section), of: board)) }
    return BoardContents(
      revision: revision, sections: sections.map(\.members.0), rows: sections.map(\.members.1),
      texts: texts)
  }

  /// Makes a board.
  func board(_ name: String) throws(DBusError) -> ObjectPath {
    try call(ManagerInterface.createBoard, at: Dragboard.root, name)
  }

  /// Deletes a board.
  func deleteBoard(_ name: String) throws(DBusError) {
    try call(ManagerInterface.deleteBoard, at: Dragboard.root, name)
  }

  /// Restores a deleted board.
  @discardableResult
  func restoreBoard(_ name: String) throws(DBusError) -> ObjectPath {
    try call(ManagerInterface.restoreBoard, at: Dragboard.root, name)
  }

  /// The names and the numbers of rows of the boards that can be restored: `work 2`.
  func deletedBoards() throws(DBusError) -> [String] {
    try call(ManagerInterface.getDeletedBoards, at: Dragboard.root)
      .map { "\($0.members.0) \($0.members.1)" }
  }

  /// Deletes so many empty boards that no board deleted before can be restored.
  func forgetDeletedBoards() throws(DBusError) {
    for _ in 0..<16 {
      _ = try board("forgotten")
      try deleteBoard("forgotten")
    }
  }

  /// Sets a property that is a truth value.
  func set(
    _ property: PropertyDeclaration<Bool>, to value: Bool, at path: ObjectPath = BusClient.board
  ) throws(DBusError) {
    try set(property, to: Variant(.boolean(value)), at: path)
  }
}
