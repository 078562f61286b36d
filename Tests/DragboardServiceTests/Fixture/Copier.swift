import DBus
import DragboardInterface
import TestSupport

/// A client that makes random edits and keeps a copy of the board.
///
/// It updates the copy from the signal Changed or, while it ignores signals, with GetChanges.
///
/// `@unchecked` is safe, because the editing client's thread uses the object while it runs, and the
/// test uses it afterwards.
final class Copier: @unchecked Sendable {
  let client: BusClient
  let editor: EditingClient
  private(set) var replica: Replica
  /// Whether the client applies Changed; otherwise it must catch up.
  var listens = true
  /// The differences that were found.
  private(set) var faults: [String] = []
  /// The number of times that the client has caught up.
  private(set) var catches = 0

  init(_ client: BusClient, seed: UInt64, number: Int) throws {
    self.client = client
    replica = try client.replica()
    editor = EditingClient(
      client, RandomEdits(seed: seed, prefix: "client \(number)", arranges: true), items: [])
    client.connection.subscribe(to: BoardInterface.changed, from: BusClient.board) {
      [unowned self] from, to, changes in
      guard listens else { return }
      do { try replica.apply(from, to, changes) } catch { faults.append("\(error)") }
    }
    client.waitForBus()
    editor.board = { [unowned self] in replica }
  }

  /// Updates the copy with all changes since its revision; they include the changes of signals that
  /// have not arrived yet.
  func catchUp() throws {
    let listened = listens
    listens = false
    defer { listens = listened }
    do {
      try replica.apply(try client.call(BoardInterface.getChanges, replica.revision))
      catches += 1
    } catch let error as DBusError where error.name == .staleRevision {
      replica = try client.replica()
    }
  }
}
