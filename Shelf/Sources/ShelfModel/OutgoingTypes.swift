public import DragboardClient

/// What rows are held out as to another application.
public enum OutgoingTypes {
  /// One row has all its types in their order; several have in common that texts are lines, and the rest addresses.
  ///
  /// What is no text can be had as a file, too.
  public static func of(_ rows: [RowFacts]) -> [ContentType] {
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

extension RowFacts {
  /// What a file of the row is called: its suggested name without folders, or its kind with the usual ending.
  public var fileName: String {
    let name = suggestedName.split(separator: "/").last.map(String.init) ?? ""
    if !name.isEmpty, name != ".", name != ".." { return name }
    let type = types.first?.rawValue.prefix { $0 != ";" } ?? ""
    let subtype = type.drop { $0 != "/" }.dropFirst().prefix { $0 != "+" }
    let ending = ["plain": "txt", "jpeg": "jpg", "octet-stream": "bin"][String(subtype)]
    return "\(kind == .image ? "Image" : "Item").\(ending ?? String(subtype))"
  }
}
