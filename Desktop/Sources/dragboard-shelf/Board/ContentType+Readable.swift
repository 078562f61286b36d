import CGtk4
import DragboardClient
import ShelfModel

extension ContentType {
  /// The readable name: "PDF document".
  nonisolated var readable: String {
    let name = String(rawValue.prefix { $0 != ";" })
    guard let text = g_content_type_get_description(name) else { return ShownText.line(name) }
    defer { g_free(text) }
    let words = ShownText.line(String(cString: text))
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
