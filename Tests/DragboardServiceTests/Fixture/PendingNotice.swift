import DBus
import DragboardInterface
import TestSupport

/// The arguments of a DropPending signal.
struct PendingNotice: Hashable, CustomStringConvertible {
  let count: UInt32
  let section: UInt32
  let row: UInt32
  let progress: Double

  init(_ signal: BusClient.ReceivedSignal) throws {
    (_, count, section, row, progress) = try signal.message.arguments(
      as: ObjectPath.self, UInt32.self, UInt32.self, UInt32.self, Double.self)
  }

  /// The position of the future rows.
  var place: String { "\(section).\(row)" }
  var description: String { "\(count) to \(place), \(progress)" }
}

extension [BusClient.ReceivedSignal] {
  /// The DropPending signals.
  var pending: [PendingNotice] {
    get throws { try filter { $0.member == "DropPending" }.map(PendingNotice.init) }
  }
}

extension BusClient {
  /// Waits for the next DropPending signal that `isWanted` accepts.
  func nextPending(where isWanted: (PendingNotice) -> Bool = { _ in true }) throws -> PendingNotice
  {
    while true {
      let notice = try PendingNotice(next("DropPending"))
      if isWanted(notice) { return notice }
    }
  }

  /// Calls PerformDrop without waiting for the reply.
  func beginDrop(
    _ session: ObjectPath, as application: String = "org.target", section: UInt32 = 0,
    row: Int32 = -1, on board: ObjectPath = BusClient.board
  ) -> Outstanding {
    send([
      DragboardServiceTests.call(
        DropTargetInterface.performDrop, at: board, session, application, section, row)
    ])
  }
}

extension Outstanding {
  /// Waits for the answer to the only call.
  func answer() throws -> Message {
    _ = errors()
    guard let answer = answers[0] else { throw DBusError(.noReply, "none") }
    return try answer.get()
  }

  /// Waits for the reply to PerformDrop.
  func dropResult() throws -> DropResult {
    let (operation, items) = try answer().arguments(as: String.self, [String].self)
    return DropResult(operation: operation, items: items)
  }
}
