public import BoardModel

/// A drop that is under way: what it set out to do, and for whom.
public struct ActiveDrop: Hashable, Sendable {
  /// Where the items go.
  public enum Destination: Hashable, Sendable {
    /// Into a board, the first item to that place.
    case board(IndexPath)
    /// To a client, which loads what it wants of them.
    case client(Application)
  }

  /// Copy or move.
  public let operation: DropOperation
  /// Where the items go.
  public let destination: Destination
  /// The client that takes the drop itself, where one does.
  public var client: Application? {
    if case .client(let application) = destination { application } else { nil }
  }
}

/// Which items of a session a drop has asked for, and which of them have arrived.
struct TransferTally: Hashable, Sendable {
  private enum Mark: UInt8 {
    case none, asked, loaded
  }

  /// By the item's index, as far as one has a mark.
  private var marks: [Mark] = []
  /// Whether nothing has arrived.
  private(set) var isEmpty = true

  /// A drop that asks for those items, so far.
  init(asking items: some Sequence<Int>) {
    for item in items { ask(item) }
  }

  /// Notes that an item is asked for.
  mutating func ask(_ item: Int) {
    makeRoom(for: item)
    if marks[item] == .none { marks[item] = .asked }
  }

  /// Notes that something of an item has arrived.
  mutating func load(_ item: Int) {
    makeRoom(for: item)
    marks[item] = .loaded
    isEmpty = false
  }

  private mutating func makeRoom(for item: Int) {
    while marks.count <= item { marks.append(.none) }
  }

  /// What DidTransferItems says of it.
  var transfer: DragConclusion.Transfer {
    DragConclusion.Transfer(
      loaded: marks.indices.filter { marks[$0] == .loaded },
      failed: marks.indices.filter { marks[$0] == .asked })
  }
}
