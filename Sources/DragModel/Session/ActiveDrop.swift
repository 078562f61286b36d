public import BoardModel

/// A drop in progress: its operation and destination.
public struct ActiveDrop: Hashable, Sendable {
  /// The destination of the items.
  public enum Destination: Hashable, Sendable {
    /// A position on a board, at which the first item is inserted.
    case board(IndexPath)
    /// A client, which loads the items that it wants.
    case client(Application)
  }

  /// The granted operation: copy or move.
  public let operation: DropOperation
  /// The destination of the items.
  public let destination: Destination
  /// The client that accepted the drop; nil for a drop on a board.
  public var client: Application? {
    if case .client(let application) = destination { application } else { nil }
  }
}

/// The items that a drop requested, and those that arrived.
struct TransferTally: Hashable, Sendable {
  private enum Mark: UInt8 {
    case none, asked, loaded
  }

  /// The mark of each item by index, up to the last marked item.
  private var marks: [Mark] = []
  /// Whether no item has arrived.
  private(set) var isEmpty = true

  /// Creates the tally of a drop that has requested these items.
  init(asking items: some Sequence<Int>) {
    for item in items { ask(item) }
  }

  /// Records that an item was requested.
  mutating func ask(_ item: Int) {
    makeRoom(for: item)
    if marks[item] == .none { marks[item] = .asked }
  }

  /// Records that a representation of an item arrived.
  mutating func load(_ item: Int) {
    makeRoom(for: item)
    marks[item] = .loaded
    isEmpty = false
  }

  private mutating func makeRoom(for item: Int) {
    while marks.count <= item { marks.append(.none) }
  }

  /// The content of the signal DidTransferItems.
  var transfer: DragConclusion.Transfer {
    DragConclusion.Transfer(
      loaded: marks.indices.filter { marks[$0] == .loaded },
      failed: marks.indices.filter { marks[$0] == .asked })
  }
}
