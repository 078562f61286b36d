import DragboardClient
import Foundation
import TestSupport
import Testing

extension ShelfTests {
  @Suite("Translations") struct TranslationTests {
    @Test("Every text is in the template, and is translated into every language")
    func complete() throws {
      try TestProgram.run(
        ["\(Desk.translations)/update", "--check"], ProcessInfo.processInfo.environment)
    }

    @Test(
      "The window is in the user's language",
      arguments: [("de", "Ablage"), ("ja", "シェルフ"), ("ko", "선반"), ("ar", "الرف")])
    func window(language: String, title: String) async throws {
      let desk = try await Desk()
      try await desk.openShelf(titled: title, with: desk.variables(of: language))
    }

    @Test("For a language that is written from right to left, the window is mirrored")
    func direction() async throws {
      let desk = try await Desk()
      try await desk.board.insert(["one"])
      try await desk.openShelf(titled: "الرف", with: desk.variables(of: "ar"))
      // The button that undoes is the first button of the header.
      try await desk.until {
        try desk.run("xdotool", "mousemove", "355", "24", "click", "1", "sleep", "0.5")
        return try await desk.texts().isEmpty
      }
    }
  }
}

extension Desk {
  /// `Desktop/po`.
  static let translations = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "po").path

  /// Installs the translations of a language where the shelf finds them.
  ///
  /// - Returns: the variables that select the language.
  func variables(of language: String) throws -> [String: String] {
    let folder = "\(try Desk.ownProducts())/../share/locale/\(language)/LC_MESSAGES"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try run("msgfmt", "-o", "\(folder)/dragboard-shelf.mo", "\(Self.translations)/\(language).po")
    // gettext reads LANGUAGE only if the locale is not "C".
    return ["LC_ALL": "C.UTF-8", "LANGUAGE": language]
  }
}
