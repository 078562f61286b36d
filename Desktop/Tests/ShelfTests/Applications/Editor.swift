import DragboardClient
import Foundation

/// A text editor, with one letter open in it.
final class Editor: Guest {
  /// The editors.
  enum Kind: String, CaseIterable {
    case mousepad
    case gnomeTextEditor = "gnome-text-editor"
    case featherpad

    /// The toolkit of the editor.
    var toolkit: String {
      switch self {
      case .mousepad: "GTK 3"
      case .gnomeTextEditor: "GTK 4"
      case .featherpad: "Qt 5"
      }
    }
  }

  var name: String { kind.rawValue }
  private let kind: Kind
  private let desk: Desk
  private let program: Program
  private let window: String
  private let letter: URL
  private var isEmpty = false

  /// Starts an editor with a long letter, all of which is dragged.
  init(_ kind: Kind, at desk: Desk) throws {
    (self.kind, self.desk) = (kind, desk)
    letter = URL(fileURLWithPath: desk.folder).appending(path: "Letter.txt")
    try Self.text.write(to: letter, atomically: true, encoding: .utf8)
    let settings = URL(fileURLWithPath: desk.folder).appending(path: "config/glib-2.0/settings")
    try FileManager.default.createDirectory(at: settings, withIntermediateDirectories: true)
    try Self.settings.write(
      to: settings.appending(path: "keyfile"), atomically: true, encoding: .utf8)
    program = try desk.start(["env", "GSETTINGS_BACKEND=keyfile", kind.rawValue, letter.path])
    window = try desk.screen.place(
      windowTitled: "Letter", at: Self.corner, width: 560, height: 600)
  }

  private static let corner = (x: 420, y: 20)
  /// On a busy machine Mousepad takes what it has saved itself for somebody else's change, and asks what to do.
  private static let settings = "[org/xfce/mousepad/preferences/file]\nmonitor-changes=false\n"
  /// As many lines as fill the window: every place in it can be dragged.
  private static let text = Array(repeating: "Grüße aus 世界, and more", count: 40)
    .joined(separator: "\n")

  /// The representations that it drags: its whole text.
  static let parts = [Sample.Part(type: .plainText, bytes: Array(text.utf8))]

  func offer() async throws -> Point {
    // A click first: the text view of GTK 4.8 begins no second drag without one.
    try desk.screen.perform([.move((Self.corner.x + 60, Self.corner.y + 400)), .press, .release])
    try desk.screen.press(["ctrl+a"], in: window)
    return (Self.corner.x + 60, Self.corner.y + 250)
  }

  func hasGiven(asMove isMove: Bool) async throws {
    try await untilSaved(isMove ? "" : Self.text)
    guard isMove else { return }
    try desk.screen.press(["ctrl+z"], in: window)
    try await untilSaved(Self.text)
  }

  func open() async throws -> Point {
    try desk.screen.press(["ctrl+a", "BackSpace"], in: window)
    try await untilSaved("")
    return (Self.corner.x + 200, Self.corner.y + 250)
  }

  func hasTaken(_ parts: [Sample.Part]) async throws {
    try await untilSaved(String(decoding: parts.last?.bytes ?? [], as: UTF8.self))
  }

  /// Saves the letter until it is `text`; editors end a text with a new line of their own.
  private func untilSaved(_ text: String) async throws {
    try await desk.until {
      try self.desk.screen.press(["ctrl+s"], in: self.window)
      let saved = try String(contentsOf: self.letter, encoding: .utf8)
      return saved.trimmingCharacters(in: .newlines) == text
    }
  }
}
