import DBus
import DragboardInterface

/// An event of a drag.
public enum SessionEvent: Hashable, Sendable {
  /// The drag is over a board. The event has the operation and the position of a drop there.
  case updated(application: String, board: BoardID, DropOperation, RowPosition)
  /// The drag has left a board.
  case exited(application: String, board: BoardID)
  /// Items were added.
  case itemsAdded(first: Int, count: Int)
  /// The loaded share of the bytes, from 0 to 1.
  case progressed(Double)
  /// The session is about to end with this operation.
  case willEnd(DropOperation)
  /// A drop has loaded the items, and the source can release its data. The event has the indexes of
  /// the items that arrived, and of the items that failed.
  case transferred(loaded: [Int], failed: [Int])
  /// The session has ended with this operation.
  case ended(DropOperation)
  /// Events were dropped, because the iteration was too slow. Read the state again.
  case missed
}

extension SessionEvent {
  /// Merges two successive events into one event; nil if both events are needed.
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

  /// Decodes a signal of the session; nil if the signal is unknown or malformed.
  init?(_ signal: Message) {
    typealias Session = DragSessionInterface
    if let (application, target, word, section, row) = signal.arguments(of: Session.didUpdate) {
      guard let operation = DropOperation(rawValue: word) else { return nil }
      self = .updated(
        application: application, board: BoardID(target), operation,
        RowPosition(section: Int(section), row: Int(row)))
    } else if let (application, target) = signal.arguments(of: Session.didExit) {
      self = .exited(application: application, board: BoardID(target))
    } else if let (first, count) = signal.arguments(of: Session.itemsAdded) {
      self = .itemsAdded(first: Int(first), count: Int(count))
    } else if let (loaded, failed) = signal.arguments(of: Session.didTransferItems) {
      self = .transferred(loaded: loaded.map(Int.init), failed: failed.map(Int.init))
    } else if let word = signal.arguments(of: Session.willEnd) {
      guard let operation = DropOperation(rawValue: word) else { return nil }
      self = .willEnd(operation)
    } else if let word = signal.arguments(of: Session.didEnd) {
      guard let operation = DropOperation(rawValue: word) else { return nil }
      self = .ended(operation)
    } else if let properties = signal.changedProperties(of: Session.name),
      let progress = try? properties.fraction(Session.progress)
    {
      self = .progressed(progress)
    } else {
      return nil
    }
  }
}
