public import DragboardClient

extension ContentType {
  /// The type for files on a clipboard that file managers paste: the line "copy" and a line for
  /// each address.
  public static let copiedFiles: ContentType = "x-special/gnome-copied-files"

  /// The target by which the other application asks the shelf to write a file.
  ///
  /// Source: https://www.freedesktop.org/wiki/Specifications/XDS/
  public static let directSave: ContentType = "XdndDirectSave0"
}

/// The types that rows, or the items of a drag, offer to another application.
public enum OutgoingTypes {
  /// Returns the offered types.
  ///
  /// For one row, these are all its types in order. Several rows are offered as lines of text if
  /// one of them is text, and as addresses if one of them is neither text nor markup. Content other
  /// than text is also offered as a file.
  ///
  /// - Parameters:
  ///   - rows: the rows or items.
  ///   - isCopy: whether they are copied to the clipboard; then files also have the type that file
  ///     managers paste.
  ///   - isSaved: whether the other application can ask the shelf to write texts as files.
  /// - Returns: the types in order of fidelity.
  public static func of(
    _ rows: [any HeldOut], isCopy: Bool = false, isSaved: Bool = false
  ) -> [ContentType] {
    guard let first = rows.first else { return [] }
    var types = rows.count == 1 ? first.types : []
    if rows.count > 1, rows.contains(where: { $0.kind == .text }) { types = [.plainText] }
    if let text = types.firstIndex(of: .plainText), !types.contains("text/plain") {
      // Some programs recognize text only by this name.
      types.insert("text/plain", at: text + 1)
    }
    let hasFiles = rows.contains { ![.text, .markup].contains($0.kind) }
    if hasFiles, !types.contains(.uriList) { types.append(.uriList) }
    if hasFiles, isCopy { types.append(.copiedFiles) }
    // Editors accept addresses and paths as text.
    if !types.contains(.plainText), rows.allSatisfy({ $0.kind == .addresses }) {
      types += [.plainText, "text/plain"]
    }
    return isSaved ? types + [.directSave] : types
  }
}
