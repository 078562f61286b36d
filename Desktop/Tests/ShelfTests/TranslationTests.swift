import DragboardClient
import Foundation
import Testing

extension ShelfTests {
  @Suite("Translations") struct TranslationTests {
    /// `Desktop/po`.
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "po").path

    /// Makes the translations of a language where the shelf looks for them, and returns the
    /// environment of a program in that language.
    private func environment(_ language: String, on desk: Desk) throws -> [String: String] {
      let folder = "\(try Desk.ownProducts())/../share/locale/\(language)/LC_MESSAGES"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try desk.run(
        "msgfmt", "-o", "\(folder)/dragboard-shelf.mo", "\(Self.folder)/\(language).po")
      // A locale other than "C" lets gettext read LANGUAGE.
      return desk.environment.merging(["LC_ALL": "C.UTF-8", "LANGUAGE": language]) { $1 }
    }

    @Test("Every text is in the template, and has a translation into every language")
    func complete() throws {
      try Program.run(["\(Self.folder)/update", "--check"], ProcessInfo.processInfo.environment)
    }

    @Test(
      "The window is in the user's language",
      arguments: [("de", "Ablage"), ("ja", "シェルフ"), ("ko", "선반"), ("ar", "الرف")])
    func window(language: String, title: String) async throws {
      let desk = try await Desk()
      let shelf = try Program(["dragboard-shelf"], try environment(language, on: desk))
      _ = try desk.window(named: title)
      shelf.kill()
    }

    @Test("The window of a language that is written from the right begins there")
    func direction() async throws {
      let desk = try await Desk()
      try await desk.board.insert(["one", "two"])
      let shelf = try Program(["dragboard-shelf"], try environment("ar", on: desk))
      let window = try desk.screen.place(
        windowTitled: "^الرف$", at: (0, 0), width: 380, height: 560)
      try await desk.untilBoardIsShown()
      // The button of the edit mode is the first one of the header.
      let board = desk.board.id
      try await desk.until {
        try desk.run("xdotool", "mousemove", "355", "24", "click", "1", "sleep", "0.5")
        return try await desk.connection.views().contains {
          $0.info.board == board && $0.info.isEditing
        }
      }
      withExtendedLifetime(window) { shelf.kill() }
    }
  }
}
