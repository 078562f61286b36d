import DBus
import DragboardInterface
import TestSupport

/// The state of a board that a refused call must not change.
struct BoardContents: Hashable {
  let revision: UInt64
  let sections: [String]
  let rows: [[String]]
  let texts: [[String]]
}

/// A row as GetRows returns it.
struct RowView: Equatable {
  let id: String
  let preview: String
  let types: [String]
  let attributes: [String: Value]

  init(_ row: BoardInterface.RawRow) {
    (id, preview, types) = (row.members.0, row.members.1, row.members.2)
    attributes = row.members.3.mapValues(\.value)
  }
}

extension BoardInterface {
  /// A row with all its attributes as they are on the wire.
  typealias RawRow = Structure<String, String, [String], [String: Variant]>

  static let getRawRows = MethodDeclaration<
    Arguments<UInt32, UInt32, UInt32>, Arguments<UInt64, [RawRow]>
  >(name, "GetRows", in: "section", "first", "count", out: "revision", "rows")
}

/// The common calls of tests to boards.
extension BusClient {
  /// Inserts texts at the end of a section, or at a row of the section.
  @discardableResult
  func insert(
    _ texts: [String], section: UInt32 = 0, at row: Int32 = -1,
    on board: ObjectPath = BusClient.board
  ) throws(DBusError) -> [String] {
    try call(BoardInterface.insertTexts, at: board, section, row, texts)
  }

  /// Returns the texts of a section's rows.
  func texts(_ section: UInt32 = 0, of board: ObjectPath = BusClient.board) throws(DBusError)
    -> [String]
  {
    try call(BoardInterface.getTexts, at: board, section, 0, 10_000)
  }

  /// Returns a section's rows.
  func rows(_ section: UInt32 = 0, of board: ObjectPath = BusClient.board) throws(DBusError)
    -> [RowView]
  {
    try call(BoardInterface.getRawRows, at: board, section, 0, 10_000).1.map(RowView.init)
  }

  /// Returns the state that a refused call must not change.
  func contents(of board: ObjectPath = BusClient.board) throws(DBusError) -> BoardContents {
    let (revision, sections) = try call(BoardInterface.getSnapshot, at: board)
    var texts: [[String]] = []
    for section in sections.indices { texts.append(try self.texts(UInt32(section), of: board)) }
    return BoardContents(
      revision: revision, sections: sections.map(\.members.0), rows: sections.map(\.members.1),
      texts: texts)
  }

  /// Creates a board.
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

  /// Returns the name and the number of rows of each board that can be restored: `work 2`.
  func deletedBoards() throws(DBusError) -> [String] {
    try call(ManagerInterface.getDeletedBoards, at: Dragboard.root)
      .map { "\($0.members.0) \($0.members.1)" }
  }

  /// Deletes 16 empty boards, after which no earlier deleted board can be restored.
  func forgetDeletedBoards() throws(DBusError) {
    for _ in 0..<16 {
      _ = try board("forgotten")
      try deleteBoard("forgotten")
    }
  }

  /// Sets a Boolean property.
  func set(
    _ property: PropertyDeclaration<Bool>, to value: Bool, at path: ObjectPath = BusClient.board
  ) throws(DBusError) {
    try set(property, to: Variant(.boolean(value)), at: path)
  }
}
