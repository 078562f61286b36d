import DBus
import DragboardInterface
import TestSupport

/// Everything that a client can see of a board.
struct BoardState: Equatable {
  /// A row as GetRows returns it, with its plain text.
  struct Row: Equatable {
    var id: String
    var types: [String]
    var isEditable: Bool
    var isMovable: Bool
    var isPinned: Bool
    var text: String
  }

  /// A section and its rows.
  struct Section: Equatable {
    var name: String
    var rows: [Row]
  }

  var revision: UInt64
  var sections: [Section]
  var maxRows: UInt32
  var movesMultipleRows: Bool
  var acceptedTypes: [String]

  /// The rows of all sections.
  var rows: [Row] { sections.flatMap(\.rows) }
}

extension BusClient {
  /// Reads a whole board.
  func state(of board: ObjectPath = BusClient.board) throws(DBusError) -> BoardState {
    let (revision, snapshot) = try call(BoardInterface.getSnapshot, at: board)
    var sections: [BoardState.Section] = []
    for (index, section) in snapshot.enumerated() {
      sections.append(
        BoardState.Section(
          name: section.members.0,
          rows: try rows(of: board, section: UInt32(index), count: section.members.1.count)))
    }
    return BoardState(
      revision: revision, sections: sections, maxRows: try get(BoardInterface.maxRows, at: board),
      movesMultipleRows: try get(BoardInterface.movesMultipleRows, at: board),
      acceptedTypes: try get(BoardInterface.acceptedTypes, at: board))
  }

  private func rows(
    of board: ObjectPath, section: UInt32, count: Int
  ) throws(DBusError) -> [BoardState.Row] {
    let (_, rows) = try call(BoardInterface.getRawRows, at: board, section, 0, UInt32(count))
    let texts = try call(BoardInterface.getTexts, at: board, section, 0, UInt32(count))
    return zip(rows, texts).map { row, text in
      let (id, _, types, attributes) = row.members
      return BoardState.Row(
        id: id, types: types, isEditable: attributes["editable"]?.value == .boolean(true),
        isMovable: attributes["movable"]?.value == .boolean(true),
        isPinned: attributes["pinned"]?.value == .boolean(true), text: text)
    }
  }
}
