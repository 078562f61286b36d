import ArgumentParser
import DragboardClient

/// `dragboard stack`.
struct Stack: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stack",
    abstract: "Put rows together as a stack, which the shelf shows as one row.",
    discussion: """
      The rows move to the position of the first one, in the given order.

      EXAMPLES:
        dragboard stack 0 1 4
      """)

  @Argument(help: .rows)
  var rows: [RowName]
  @OptionGroup var board: BoardOptions
  @OptionGroup var notice: NoticeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try runEdit(on: connection, board, having: rows, notice) { board in
      let items = try await RowFinder(board).items(rows)
      let snapshot = try await board.snapshot()
      guard let first = items.first else { return }
      guard let place = snapshot.position(of: first) else {
        // This call throws the error about a row that does not exist.
        _ = try await board.position(of: first)
        return
      }
      let others = snapshot.sections[place.section].items[..<place.row].count {
        !items.contains($0)
      }
      try await board.stack(
        items, as: ItemAttributes.newStack(), inSection: place.section, at: others)
    }
  }
}

/// `dragboard unstack`.
struct Unstack: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unstack", abstract: "Take rows out of their stacks.",
    discussion: """
      The rows do not move.

      EXAMPLES:
        dragboard unstack 0 1 2
      """)

  @Argument(help: .rows)
  var rows: [RowName]
  @OptionGroup var board: BoardOptions
  @OptionGroup var notice: NoticeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try runEdit(on: connection, board, having: rows, notice) { board in
      let finder = RowFinder(board)
      for item in try await finder.items(rows) {
        let place = try await board.position(of: item)
        try await board.stack([item], as: "", inSection: place.section, at: place.row)
      }
    }
  }
}
