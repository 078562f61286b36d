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
  private var asked: Set<Int>
  private var loaded: Set<Int> = []

  /// A drop that asks for those items, so far.
  init(asking items: some Sequence<Int>) { asked = Set(items) }

  /// Whether nothing has arrived.
  var isEmpty: Bool { loaded.isEmpty }

  /// Notes that an item is asked for.
  mutating func ask(_ item: Int) { asked.insert(item) }

  /// Notes that something of an item has arrived.
  mutating func load(_ item: Int) {
    asked.insert(item)
    loaded.insert(item)
  }

  /// What DidTransferItems says of it.
  var transfer: DragConclusion.Transfer {
    DragConclusion.Transfer(loaded: loaded.sorted(), failed: asked.subtracting(loaded).sorted())
  }
}
