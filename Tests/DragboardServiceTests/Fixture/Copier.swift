import DBus
import DragboardInterface
import TestSupport

/// A client that edits a board at random and keeps a copy of it, by Changed, or by GetChanges where
/// it does not listen.
///
/// Unchecked, because it is used by its editing client's thread while that runs, and by the test's
/// else.
final class Copier: @unchecked Sendable {
  let client: BusClient
  let editor: EditingClient
  private(set) var replica: Replica
  /// Whether it applies Changed; otherwise it must catch up.
  var listens = true
  /// The differences that were found.
  private(set) var faults: [String] = []
  /// How often it has caught up.
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

  /// Makes the copy the board, by what has changed since; what Changed still has to tell is in
  /// that.
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
