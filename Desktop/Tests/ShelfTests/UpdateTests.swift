import DragboardClient
import Files
import Foundation
import TestSupport
import Testing

extension ShelfTests {
  @Suite("An update of the shelf") struct UpdateTests {
    /// A desktop whose shelf is a copy, which ``install()`` replaces.
    private struct Updated {
      let desk: Desk
      let reader: ScreenReader
      let manager: TestProgram
      let folder: String

      init() async throws {
        desk = try await Desk()
        manager = try desk.start("openbox", "--sm-disable")
        reader = try ScreenReader(at: desk)
        folder = "\(try #require(desk.environment["HOME"]))/programs"
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true)
        try install()
        let path = "\(folder):\(desk.environment["PATH"] ?? "")"
        try await desk.openShelf(with: reader.variables.merging(["PATH": path]) { $1 })
      }

      /// Replaces the program by another file, as a package manager does.
      func install() throws {
        let new = "\(folder)/new"
        try whileNothingStarts {
          try FileManager.default.copyItem(
            atPath: "\(Desk.ownProducts())/dragboard-shelf", toPath: new)
        }
        #expect(rename(new, "\(folder)/dragboard-shelf") == 0)
      }

      var isOutdated: Bool {
        desk.shelf.flatMap { RunningProgram(process: $0.id) }?.isReplaced ?? false
      }

      /// Waits until the process has the installed version, and shows the board.
      func untilUpdated() async throws {
        try await desk.until { !isOutdated }
        try desk.restartDaemon()
        try await desk.untilBoardIsShown()
      }
    }

    @Test("When the daemon leaves, the shelf starts the installed version, and opens again")
    func restart() async throws {
      let updated = try await Updated()
      try updated.install()
      #expect(updated.isOutdated)
      updated.desk.killDaemon()
      try await updated.untilUpdated()
      try await updated.reader.wait(for: "push button", "Main Menu")
      updated.manager.kill()
    }

    @Test("While the user answers, the shelf only says that another version is installed")
    func inUse() async throws {
      let updated = try await Updated()
      let desk = updated.desk
      try updated.install()
      try desk.press("ctrl+comma")
      _ = try desk.window(named: "Preferences")
      desk.killDaemon()
      try await updated.reader.wait(for: "label", "Another version of the shelf is installed.")
      #expect(updated.isOutdated)
      try desk.answer("Preferences", "Escape")
      try await desk.untilClosed("Preferences")
      // GTK joins two labels: the label of a toast's button, and the label of its content.
      try await updated.reader.click("push button", "Restart Restart")
      try await updated.untilUpdated()
      updated.manager.kill()
    }
  }
}
