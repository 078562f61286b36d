public import DragboardClient

extension ContentType {
  /// The files of a clipboard, for file managers: "copy" and an address in each line.
  public static let copiedFiles: ContentType = "x-special/gnome-copied-files"
}

/// The types in which rows, or the items of a drag, are offered to another application.
public enum OutgoingTypes {
  /// Returns all types of one row, in their order.
  ///
  /// Several rows are offered as lines of text if one of them is text, and as addresses if one of
  /// them is neither text nor markup. Content other than text is also available as a file.
  ///
  /// - Parameters:
  ///   - rows: the rows or items.
  ///   - isCopy: whether they are copied to the clipboard; then files have the type that file
  ///     managers paste.
  /// - Returns: the types in order of fidelity.
  public static func of(_ rows: [any HeldOut], isCopy: Bool = false) -> [ContentType] {
    guard let first = rows.first else { return [] }
    var types = rows.count == 1 ? first.types : []
    if rows.count > 1, rows.contains(where: { $0.kind == .text }) { types = [.plainText] }
    if let text = types.firstIndex(of: .plainText), !types.contains("text/plain") {
      // For programs that recognize text only by this name.
      types.insert("text/plain", at: text + 1)
    }
    let hasFiles = rows.contains { ![.text, .markup].contains($0.kind) }
    if hasFiles, !types.contains(.uriList) { types.append(.uriList) }
    if hasFiles, isCopy { types.append(.copiedFiles) }
    // Addresses and paths as text, for editors.
    if !types.contains(.plainText), rows.allSatisfy({ $0.kind == .addresses }) {
      types += [.plainText, "text/plain"]
    }
    return types
  }
}
