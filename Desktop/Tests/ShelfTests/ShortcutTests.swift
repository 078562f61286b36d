import Foundation
import TestSupport
import Testing

extension ShelfTests {
  @Suite("The shortcut of the picker") struct ShortcutTests {
    /// Returns the line about the shortcut that a shelf without settings prints.
    private func check(_ desk: Desk) throws -> String {
      let lines = try desk.run(
        "env", "XDG_CONFIG_HOME=\(desk.folder)/none", "dragboard-shelf", "--check")
      return lines.split(separator: "\n").first { $0.contains("\tshortcut\t") }.map(String.init)
        ?? ""
    }

    private static let free =
      "yes\tshortcut\tSuper+V, on X11; it is off\tTurn it on in the preferences of the shelf"

    @Test(
      "On X11, the shelf grabs the keys if the user has turned this on", arguments: [false, true])
    func grab(isOn: Bool) async throws {
      let desk = try await Desk()
      #expect(try check(desk) == Self.free)
      if isOn { try desk.storeSettings("picker-shortcut-on=true\n") }
      try desk.startShelf("--gapplication-service")
      if isOn {
        try await desk.until { try check(desk).hasPrefix("no\tshortcut\t") }
      } else {
        try await desk.untilShelfAnswers()
        #expect(try check(desk) == Self.free)
      }
    }

    @Test("The shelf names its application to the portal, and binds its shortcut")
    func portal() async throws {
      let desk = try await Desk()
      let portal = try desk.start(Peer.folder.appending(path: "shortcuts-portal").path)
      #expect(portal.nextLine() == "serves")
      try desk.storeSettings("picker-shortcut-on=true\npicker-shortcut=<Control><Super>y\n")
      try desk.startShelf("--gapplication-service")
      #expect(portal.nextLine() == "registered org.dragboard.Shelf")
      #expect(portal.nextLine() == "bound open-picker CTRL+LOGO+y")
      #expect(
        try check(desk).hasPrefix(
          "yes\tshortcut\tthe portal GlobalShortcuts of the desktop; it is off\t"))
      portal.kill()
      // The keys are not grabbed, too.
      #expect(try check(desk) == Self.free)
    }

    @Test("If the user refuses the shortcut of the portal, the shelf grabs the keys")
    func refusal() async throws {
      let desk = try await Desk()
      let portal = try desk.start(Peer.folder.appending(path: "shortcuts-portal").path, "refuse")
      #expect(portal.nextLine() == "serves")
      try desk.storeSettings("picker-shortcut-on=true\n")
      try desk.startShelf("--gapplication-service")
      #expect(portal.nextLine() == "registered org.dragboard.Shelf")
      #expect(portal.nextLine() == "refused")
      portal.kill()
      try await desk.until { try check(desk).hasPrefix("no\tshortcut\t") }
    }
  }
}

extension Desk {
  /// Waits until the shelf answers on the bus, and so has handled its settings.
  fileprivate func untilShelfAnswers() async throws {
    _ = try run("gdbus", "wait", "--session", "--timeout", "60", "org.dragboard.Shelf")
    _ = try run(
      "gdbus", "call", "--session", "-d", "org.dragboard.Shelf", "-o", "/org/dragboard/Shelf", "-m",
      "org.freedesktop.DBus.Peer.Ping")
  }
}
