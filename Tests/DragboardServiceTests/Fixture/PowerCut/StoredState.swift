import BoardModel
import DragboardStore
import TestSupport

/// The durable content of a store, without the numbers that it will assign next.
struct StoredState: Equatable {
  let inventory: StoreInventory
  let revisions: [UInt64]
  let headers: [BoardHeader]
  let steps: [[StepInfo]]

  init(_ store: BoardStore) throws {
    inventory = try StoreInventory(store)
    let boards = try store.boards()
    revisions = boards.map(\.board.revision)
    headers = boards.map(\.header)
    steps = try boards.map { try store.steps(of: $0.id) }
  }

  /// Whether a client that reads the board "default" sees this board.
  func isSeen(as board: WholeBoard) -> Bool {
    let sections = inventory.boards["default"] ?? []
    return sections.count == board.sections.count
      && zip(sections, board.sections).allSatisfy { stored, seen in
        stored.name == seen.name && stored.rows.count == seen.rows.count
          && zip(stored.rows, seen.rows).allSatisfy { row, seen in
            inventory.items[row]?.types == seen.types
              && inventory.items[row]?.contents == seen.bytes
          }
      }
  }
}
