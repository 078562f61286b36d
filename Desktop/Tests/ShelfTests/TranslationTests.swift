import DragboardClient
import Foundation
import Testing

extension ShelfTests {
  @Suite("Translations") struct TranslationTests {
    @Test("Every text is in the template, and has a translation into every language")
    func complete() throws {
      try Program.run(
        ["\(Desk.translations)/update", "--check"], ProcessInfo.processInfo.environment)
    }

    @Test(
      "The window is in the user's language",
      arguments: [("de", "Ablage"), ("ja", "シェルフ"), ("ko", "선반"), ("ar", "الرف")])
    func window(language: String, title: String) async throws {
      let desk = try await Desk()
      try await desk.openShelf(titled: title, with: desk.variables(of: language))
    }

    @Test("The window of a language that is written from the right begins there")
    func direction() async throws {
      let desk = try await Desk()
      try await desk.board.insert(["one", "two"])
      try await desk.openShelf(titled: "الرف", with: desk.variables(of: "ar"))
      // The button of the edit mode is the first one of the header.
      let board = desk.board.id
      try await desk.until {
        try desk.run("xdotool", "mousemove", "355", "24", "click", "1", "sleep", "0.5")
        return try await desk.connection.views().contains {
          $0.info.board == board && $0.info.isEditing
        }
      }
    }
  }
}

extension Desk {
  /// `Desktop/po`.
  static let translations = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "po").path

  /// Makes the catalog of a language where the shelf looks for it, and returns the variables that
  /// choose the language.
  func variables(of language: String) throws -> [String: String] {
    let folder = "\(try Desk.ownProducts())/../share/locale/\(language)/LC_MESSAGES"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try run("msgfmt", "-o", "\(folder)/dragboard-shelf.mo", "\(Self.translations)/\(language).po")
    // A locale other than "C" lets gettext read LANGUAGE.
    return ["LC_ALL": "C.UTF-8", "LANGUAGE": language]
  }
}
