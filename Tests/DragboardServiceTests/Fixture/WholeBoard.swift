import DBus
import DragboardInterface
import TestSupport

/// A board with the bytes of its rows, but without its revision: the state that undo restores.
struct WholeBoard: Equatable {
  /// A row with its representations, attributes and flags.
  struct Row: Equatable {
    let id: String
    let types: [String]
    let attributes: [String: Value]
    let bytes: [[UInt8]]
  }

  /// A section and its rows.
  struct Section: Equatable {
    let name: String
    let rows: [Row]
  }

  let sections: [Section]
}

extension BusClient {
  /// Reads a whole board.
  func whole(of board: ObjectPath = BusClient.board) throws -> WholeBoard {
    let names = try get(BoardInterface.sections, at: board)
    var sections: [WholeBoard.Section] = []
    for (index, name) in names.enumerated() {
      var rows: [RowView] = []
      while true {
        let page = try call(
          BoardInterface.getRawRows, at: board, UInt32(index), UInt32(rows.count), 1_000)
        guard !page.1.isEmpty else { break }
        rows += page.1.map(RowView.init)
      }
      sections.append(WholeBoard.Section(name: name, rows: try self.rows(rows, of: board)))
    }
    return WholeBoard(sections: sections)
  }

  private func rows(_ rows: [RowView], of board: ObjectPath) throws -> [WholeBoard.Row] {
    let questions = rows.flatMap { row in
      row.types.map { DragboardServiceTests.call(BoardInterface.getData, at: board, row.id, $0) }
    }
    var bytes = try answers(to: questions).map { try $0.get().arguments(as: [UInt8].self) }[...]
    return rows.map { row in
      defer { bytes = bytes.dropFirst(row.types.count) }
      return WholeBoard.Row(
        id: row.id, types: row.types, attributes: row.attributes,
        bytes: Array(bytes.prefix(row.types.count)))
    }
  }
}
