public import DragboardClient

/// The types in which rows, or the items of a drag, are offered to another application.
public enum OutgoingTypes {
  /// Returns all types of one row, in their order.
  ///
  /// Several rows are offered as lines of text if one of them is text, and as addresses if one of
  /// them is neither text nor markup. Content other than text is also available as a file.
  public static func of(_ rows: [any HeldOut]) -> [ContentType] {
    guard let first = rows.first else { return [] }
    var types = rows.count == 1 ? first.types : []
    if rows.count > 1, rows.contains(where: { $0.kind == .text }) { types = [.plainText] }
    if let text = types.firstIndex(of: .plainText), !types.contains("text/plain") {
      // For programs that recognize text only by this name.
      types.insert("text/plain", at: text + 1)
    }
    let hasFiles = rows.contains { ![.text, .markup].contains($0.kind) }
    if hasFiles, !types.contains(.uriList) { types.append(.uriList) }
    return types
  }
}
