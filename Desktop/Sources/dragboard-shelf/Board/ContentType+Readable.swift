import CGtk4
import DragboardClient
import ShelfModel

extension ContentType {
  /// The readable name: "PDF document".
  nonisolated var readable: String {
    let name = String(rawValue.prefix { $0 != ";" })
    // The desktop calls these bytes "unknown".
    guard name != "application/octet-stream" else { return localized("File") }
    guard let text = g_content_type_get_description(name) else { return ShownText.line(name) }
    defer { g_free(text) }
    let words = ShownText.line(String(cString: text))
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}

extension ContentType {
  /// The readable names of types and patterns, without repetitions, as a list in a sentence.
  nonisolated static func names(of types: [ContentType]) -> String {
    if let kind = AcceptedContent(types), kind != .everything { return kind.title }
    var names: [String] = []
    for name in types.map(\.readable) where !names.contains(name) { names.append(name) }
    return names.joined(separator: localized(", "))
  }
}
