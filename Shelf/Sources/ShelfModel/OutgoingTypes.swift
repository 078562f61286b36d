public import DragboardClient

/// What rows, or the items of a drag, are held out as to another application.
public enum OutgoingTypes {
  /// One row has all its types in their order; several have in common that texts are lines, and the rest addresses.
  ///
  /// What is no text can be had as a file, too.
  public static func of(_ rows: [any HeldOut]) -> [ContentType] {
    guard let first = rows.first else { return [] }
    var types = rows.count == 1 ? first.types : []
    if rows.count > 1, rows.contains(where: { $0.kind == .text }) { types = [.plainText] }
    if let text = types.firstIndex(of: .plainText), !types.contains("text/plain") {
      // For programs that know text by this name alone.
      types.insert("text/plain", at: text + 1)
    }
    let hasFiles = rows.contains { ![.text, .markup].contains($0.kind) }
    if hasFiles, !types.contains(.uriList) { types.append(.uriList) }
    return types
  }
}
