import DBus
import DragboardInterface

/// What happens to a drag.
public enum SessionEvent: Hashable, Sendable {
  /// The drag is over a board, and a drop there would do that.
  case updated(application: String, board: BoardID, DropOperation, RowPosition)
  /// The drag has left a board.
  case exited(application: String, board: BoardID)
  /// Items were added.
  case itemsAdded(first: Int, count: Int)
  /// So much is loaded, from 0 to 1.
  case progressed(Double)
  /// A drop sets out to do that.
  case willEnd(DropOperation)
  /// After a drop: the items that arrived and those that failed, by index; the source may let go of its data.
  case transferred(loaded: [Int], failed: [Int])
  /// It is over, and that came of it.
  case ended(DropOperation)
  /// Events were dropped, because they were not taken fast enough: what stands now is to be asked for.
  case missed
}

extension SessionEvent {
  /// Of two that follow on one another and only the newer of which matters, that one; else nil.
  static func merge(_ waiting: SessionEvent, _ newer: SessionEvent) -> SessionEvent? {
    switch (waiting, newer) {
    case (.progressed, .progressed): newer
    case (
      .updated(let application, let board, _, _), .updated(let newApplication, let newBoard, _, _)
    )
    where application == newApplication && board == newBoard: newer
    case (.itemsAdded(let first, let count), .itemsAdded(let next, let more))
    where next == first + count: .itemsAdded(first: first, count: count + more)
    default: nil
    }
  }

  /// What a signal of the session tells; nil for one that is of a later contract, or cannot be read.
  init?(_ signal: Message) {
    guard let event = try? Self.read(signal) else { return nil }
    self = event
  }

  private static func read(_ signal: Message) throws(DBusError) -> SessionEvent? {
    switch signal.member {
    case DragSessionInterface.didUpdate.description.name.text: try update(signal)
    case DragSessionInterface.didExit.description.name.text: try exit(signal)
    case DragSessionInterface.itemsAdded.description.name.text: try addition(signal)
    case DragSessionInterface.didTransferItems.description.name.text: try transfer(signal)
    case DragSessionInterface.willEnd.description.name.text:
      DropOperation(rawValue: try signal.arguments(as: String.self)).map { .willEnd($0) }
    case DragSessionInterface.didEnd.description.name.text:
      DropOperation(rawValue: try signal.arguments(as: String.self)).map { .ended($0) }
    case PropertiesInterface.changed.description.name.text: try progress(signal)
    default: nil
    }
  }

  private static func update(_ signal: Message) throws(DBusError) -> SessionEvent? {
    let (application, target, word, section, row) = try signal.arguments(
      as: String.self, ObjectPath.self, String.self, UInt32.self, UInt32.self)
    return DropOperation(rawValue: word).map { operation in
      .updated(
        application: application, board: BoardID(target), operation,
        RowPosition(section: Int(section), row: Int(row)))
    }
  }

  private static func exit(_ signal: Message) throws(DBusError) -> SessionEvent {
    let (application, target) = try signal.arguments(as: String.self, ObjectPath.self)
    return .exited(application: application, board: BoardID(target))
  }

  private static func addition(_ signal: Message) throws(DBusError) -> SessionEvent {
    let (first, count) = try signal.arguments(as: UInt32.self, UInt32.self)
    return .itemsAdded(first: Int(first), count: Int(count))
  }

  private static func transfer(_ signal: Message) throws(DBusError) -> SessionEvent {
    let (loaded, failed) = try signal.arguments(as: [UInt32].self, [UInt32].self)
    return .transferred(loaded: loaded.map(Int.init), failed: failed.map(Int.init))
  }

  private static func progress(_ signal: Message) throws(DBusError) -> SessionEvent? {
    let (interface, changes, _) = try signal.arguments(
      as: String.self, [String: Variant].self, [String].self)
    guard interface == DragSessionInterface.name.text else { return nil }
    return (try? Properties(changes).fraction(DragSessionInterface.progress)).map {
      .progressed($0)
    }
  }
}
