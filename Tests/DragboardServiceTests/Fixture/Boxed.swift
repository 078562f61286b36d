import DBus
import DragboardInterface
import TestSupport

/// A daemon with a client of the user and a sandboxed client.
///
/// The texts of the sandboxed client begin with `x`.
final class Boxed {
  let daemon: Daemon
  let free: BusClient
  let boxed: BusClient
  private let relay: Relay

  init(_ options: String...) throws {
    daemon = try Daemon(options)
    free = try daemon.client()
    relay = try Relay(on: daemon.bus, as: "org.boxed.App")
    boxed = try relay.client()
  }

  /// The texts that the user has inserted.
  func texts() throws -> [String] { try free.texts().filter { !$0.hasPrefix("x") } }

  /// Makes so many small edits in the sandbox that its earlier edits can no longer be undone.
  func exceedShare(_ count: Int = 26) throws {
    let row = try boxed.insert(["x last"])[0]
    for number in 1..<count { _ = try boxed.call(BoardInterface.setText, row, "x last \(number)") }
  }

  /// Undoes edits until the user's texts are not `texts`, or no edit is left.
  func undo(from texts: [String]) throws -> [String] {
    repeat {
      do { try free.undo() } catch let error as DBusError where error.name == .nothingToUndo {
        return texts
      }
    } while try self.texts() == texts
    return try self.texts()
  }
}

/// Returns the texts `prefix` 0, `prefix` 1, and so on.
func numbered(_ count: Int, _ prefix: String = "") -> [String] {
  (0..<count).map { "\(prefix)\($0)" }
}
