import DragboardClient
import Foundation
import TestSupport

/// A text editor with an open file.
final class Editor: Guest {
  /// The editors.
  enum Kind: String, CaseIterable {
    case mousepad
    case gnomeTextEditor = "gnome-text-editor"
    case featherpad
    case pluma
    case kwrite

    /// The editors whose drags are repeated.
    static let repeated: [Kind] = [.mousepad, .gnomeTextEditor, .featherpad]

    /// The toolkit of the editor.
    var toolkit: String {
      switch self {
      case .mousepad, .pluma: "GTK 3"
      case .gnomeTextEditor: "GTK 4"
      case .featherpad, .kwrite: "Qt 5"
      }
    }
  }

  var name: String { kind.rawValue }
  private let kind: Kind
  let desk: Desk
  private let program: TestProgram
  let window: String
  let letter: URL
  private var isEmpty = false

  /// Starts an editor with a long text, which is dragged as a whole.
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
  /// On a busy machine, Mousepad mistakes its own save for a change by another program, and shows a
  /// question.
  private static let settings = "[org/xfce/mousepad/preferences/file]\nmonitor-changes=false\n"
  /// The text fills the window, so that a drag can start at any position.
  private static let text = Array(repeating: "Grüße aus 世界, and more", count: 40)
    .joined(separator: "\n")

  /// The representations that the editor drags: the whole text.
  static let parts = [Sample.Part(type: .plainText, bytes: Array(text.utf8))]

  func prepareDrag() async throws -> Point {
    // The text view of GTK 4.8 starts a second drag only after a click.
    try desk.screen.perform([.move((Self.corner.x + 60, Self.corner.y + 400)), .press, .release])
    try desk.screen.press(["ctrl+a"], in: window)
    return (Self.corner.x + 60, Self.corner.y + 250)
  }

  func untilDelivered(asMove isMove: Bool) async throws {
    try await untilSaved(isMove ? "" : Self.text)
    guard isMove else { return }
    try desk.screen.press(["ctrl+z"], in: window)
    try await untilSaved(Self.text)
  }

  func prepareDrop() async throws -> Point {
    try desk.screen.press(["ctrl+a", "BackSpace"], in: window)
    try await untilSaved("")
    return (Self.corner.x + 200, Self.corner.y + 250)
  }

  func untilReceived(_ parts: [Sample.Part]) async throws {
    try await untilSaved(String(decoding: parts.last?.bytes ?? [], as: UTF8.self))
  }

  /// Saves until the file contains `text`.
  ///
  /// Line feeds at the end are ignored, because editors append one.
  private func untilSaved(_ text: String) async throws {
    try await desk.until {
      try self.desk.screen.press(["ctrl+s"], in: self.window)
      let saved = try String(contentsOf: self.letter, encoding: .utf8)
      return saved.trimmingCharacters(in: .newlines) == text
    }
  }
}
