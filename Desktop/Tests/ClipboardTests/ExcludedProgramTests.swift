import DragboardClient
import Foundation
import TestSupport
import Testing

/// Exclusions of real names of programs.
///
/// The kernel cuts off the name of a process after 15 bytes.
@Suite(.serialized) struct ExcludedProgramTests {
  /// A password manager as distributions install it.
  struct Manager: Sendable, CustomTestStringConvertible {
    let pattern: String
    let path: String
    /// The name of the interpreter that runs the file; nil for a program.
    var interpreter: String?
    /// Argument 0; nil for the path.
    var name: String?

    var testDescription: String { path }
  }

  static let managers = [
    Manager(pattern: "keepassxc", path: "usr/bin/keepassxc"),
    Manager(pattern: "bitwarden-desktop", path: "app/bin/bitwarden-desktop"),
    Manager(pattern: "bitwarden*", path: "opt/Bitwarden/bitwarden-app"),
    Manager(
      pattern: "bitwarden-desktop", path: "usr/lib/bitwarden-desktop/app.asar",
      interpreter: "electron37"),
    Manager(pattern: "1password", path: "opt/1Password/1password"),
    Manager(pattern: "enpass", path: "opt/enpass/Enpass"),
    Manager(pattern: "seahorse", path: "usr/bin/seahorse"),
    Manager(pattern: "kwalletmanager5", path: "usr/bin/kwalletmanager5"),
    Manager(pattern: "buttercup-desktop", path: "tmp/.mount_ButterX/buttercup-desktop"),
    Manager(pattern: "proton-pass", path: "usr/lib/proton-pass/Proton Pass", name: "proton-pass"),
    Manager(pattern: "*/proton-pass/*", path: "usr/lib/proton-pass/Proton Pass"),
    Manager(pattern: "nordpass", path: "snap/nordpass/current/nordpass"),
    Manager(pattern: "secrets", path: "usr/bin/secrets", interpreter: "python3"),
    Manager(
      pattern: "gnome-passwordsafe", path: "usr/bin/gnome-passwordsafe", interpreter: "python3"),
    Manager(
      pattern: "keeperpasswordmanager", path: "usr/lib/keeperpasswordmanager/keeperpasswordmanager"),
    Manager(pattern: "keepass.exe", path: "usr/lib/keepass2/KeePass.exe", interpreter: "mono"),
  ]

  @Test("A copy of an excluded password manager is not stored", arguments: managers)
  func aCopyOfAnExcludedPasswordManagerIsNotStored(_ manager: Manager) async throws {
    let desk = try await ClipboardDesk(.x11)
    try desk.call(
      "org.freedesktop.DBus.Properties.Set", "org.dragboard.Clipboard1", "ExcludedApplications",
      "<['\(manager.pattern)']>")
    let type = try desk.type("text/html", "password")
    let path = "$HOME/root/\(manager.path)"
    let command =
      if let interpreter = manager.interpreter {
        """
        cp \(ClipboardDesk.peer("toolkit-peer")) "\(path)"
        cp "$(readlink -f /usr/bin/python3)" "$HOME/\(interpreter)"
        exec "$HOME/\(interpreter)" "\(path)" gtk3 own text/html=\(type.source) 2>/dev/null
        """
      } else {
        """
        cp "$(command -v clipboard-peer)" "\(path)"
        exec \(manager.name.map { "-a '\($0)'" } ?? "") "\(path)" text/html=\(type.source)
        """
      }
    let excluded = try desk.start("mkdir -p \"$(dirname \"\(path)\")\"\n\(command)")
    #expect(excluded.nextLineWithoutRequests() == "owner")
    #expect(try desk.pastedHash("text/html") == desk.hash(type.source))
    let other = try desk.own(try desk.type("text/html", "after"))
    let row = try await desk.untilRows(1)[0]
    #expect(try await desk.board().data(of: row.id) == Array("after".utf8))
    excluded.kill()
    other.kill()
  }
}
