import DragboardClient
import Files
import Foundation
import TestSupport
import Testing

extension ShelfTests {
  @Suite("An update of the shelf") struct UpdateTests {
    /// Returns a desktop whose shelf is a copy, which `install()` replaces.
    private func openedDesk() async throws -> ProgramDesk {
      let desk = try await ProgramDesk()
      try desk.install()
      try await desk.open()
      return desk
    }

    @Test("When the daemon leaves, the shelf starts the installed version, and opens again")
    func restart() async throws {
      let updated = try await openedDesk()
      try updated.install()
      #expect(updated.isOutdated)
      updated.desk.killDaemon()
      try await updated.untilUpdated()
      try await updated.reader.wait(for: "push button", "Main Menu")
      updated.manager.kill()
    }

    @Test("While the user answers, the shelf only says that another version is installed")
    func inUse() async throws {
      let updated = try await openedDesk()
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

extension ProgramDesk {
  /// Replaces the program by another file, as a package manager does.
  fileprivate func install() throws {
    let new = "\(folder)/new"
    try whileNothingStarts {
      try FileManager.default.copyItem(
        atPath: "\(Desk.ownProducts())/dragboard-shelf", toPath: new)
    }
    #expect(rename(new, "\(folder)/dragboard-shelf") == 0)
  }

  fileprivate var isOutdated: Bool {
    desk.shelf.flatMap { RunningProgram(process: $0.id) }?.isReplaced ?? false
  }

  /// Waits until the process has the installed version, and shows the board.
  fileprivate func untilUpdated() async throws {
    try await desk.until { !isOutdated }
    try desk.restartDaemon()
    try await desk.untilBoardIsShown()
  }
}
