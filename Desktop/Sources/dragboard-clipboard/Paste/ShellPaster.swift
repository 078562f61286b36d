import ClipboardModel
import DBus
import DragboardClient

/// Pasting on GNOME: the extension of GNOME Shell, `gnome-extension/extension.js`.
///
/// The extension remembers the window before the picker, makes the text the primary selection, waits
/// for the focus and presses the keys.
@ClipboardActor final class ShellPaster: Paster {
  /// The extension claims it, and the bridge stores no selected text on GNOME.
  let ownsPrimary = false
  var means: String { isEnabled() ? "gnome-extension" : "" }

  private enum Shell {
    static let busName: BusName = "org.gnome.Shell"
    static let path: ObjectPath = "/org/dragboard/Shell"
    static let interface: InterfaceName = "org.dragboard.Shell1"
    static let focusedApplication = MethodDeclaration<Arguments<>, Arguments<String>>(
      interface, "FocusedApplication", out: "application")
    static let paste = MethodDeclaration<Arguments<>, Arguments<>>(interface, "Paste")
    static let otherFocus: ErrorName = "org.dragboard.Shell1.Error.OtherFocus"
    static let keysHeld: ErrorName = "org.dragboard.Shell1.Error.KeysHeld"
    static let selectionTaken: ErrorName = "org.dragboard.Shell1.Error.SelectionTaken"
  }

  private static let timeout = Duration.seconds(5)

  private let bus: Connection
  private let isEnabled: () -> Bool
  private let ownsClipboard: @ClipboardActor () async -> Bool

  /// Creates a client of the extension.
  ///
  /// - Parameters:
  ///   - bus: the connection.
  ///   - isEnabled: returns whether the extension has answered lately.
  ///   - ownsClipboard: waits for the claim of the clipboard, and returns whether the bridge owns the clipboard.
  init(
    _ bus: Connection, isEnabled: @escaping () -> Bool,
    ownsClipboard: @escaping @ClipboardActor () async -> Bool
  ) {
    (self.bus, self.isEnabled, self.ownsClipboard) = (bus, isEnabled, ownsClipboard)
  }

  func prepare() async throws(PasteObstacle) -> PasteTarget {
    do throws(DBusError) {
      let application = try await bus.call(
        Shell.focusedApplication, at: Shell.path, of: Shell.busName, timeout: Self.timeout)
      return PasteTarget(window: "", program: ProgramNames(applicationID: application))
    } catch { throw error.name == .accessDenied ? .refused : .noExtension }
  }

  func paste(
    _ offer: RowOffer, with keys: PasteKeys, into target: PasteTarget
  ) async throws(PasteFailure) {
    guard await ownsClipboard() else { throw .clipboardTaken }
    do throws(DBusError) {
      try await bus.call(Shell.paste, at: Shell.path, of: Shell.busName, timeout: Self.timeout)
    } catch {
      switch error.name {
      case Shell.otherFocus: throw .copied(.focusElsewhere)
      case Shell.keysHeld: throw .copied(.keysHeld)
      case Shell.selectionTaken:
        throw await ownsClipboard() ? .copied(.primaryTaken) : .clipboardTaken
      default: throw .copied(.refused)
      }
    }
  }
}
