import DBus
import DragboardInterface

/// The shelf, a program of the desktop with windows for the boards.
///
/// The bus starts the program if it is installed and does not run.
public struct DesktopShelf: Sendable {
  let connection: DragboardConnection

  /// Opens the picker, a window in which the user chooses a row that is pasted.
  ///
  /// - Parameters:
  ///   - board: the name of the board whose rows the picker shows first; "" for the board of the
  ///     clipboard.
  ///   - startup: the tokens with which the desktop lets the window take the keyboard focus:
  ///     `activation-token` or `desktop-startup-id`.
  /// - Returns: whether the shelf runs; false if the bus cannot start it.
  /// - Throws: `noReply`, `disconnected`.
  public func openPicker(
    on board: String = "", startup: [String: String] = [:]
  ) async throws(DragboardError) -> Bool {
    do throws(DragboardError) {
      _ = try await connection.reply(
        to: Self.activateAction, at: Self.path, of: Self.busName, "picker",
        [Variant(.string(board))], startup.mapValues { Variant(.string($0)) })
      return true
    } catch {
      guard error.reason == .noDaemon else { throw error }
      return false
    }
  }

  private static let busName: BusName = "org.dragboard.Shelf"
  private static let path: ObjectPath = "/org/dragboard/Shelf"

  /// Source: Desktop Entry Specification, "D-Bus Activation".
  private static let activateAction = MethodDeclaration<
    Arguments<String, [Variant], [String: Variant]>, Arguments<>
  >(
    "org.freedesktop.Application", "ActivateAction", in: "action_name", "parameter",
    "platform_data")
}

extension DragboardConnection {
  /// The shelf of the desktop.
  public nonisolated var shelf: DesktopShelf { DesktopShelf(connection: self) }
}
