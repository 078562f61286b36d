import DBus
import DragModel
import DragboardInterface

extension [String: Variant] {
  /// Removes and returns the attribute "source" of a new row; nil if it is absent.
  ///
  /// - Throws: InvalidArgs unless the value is the source of the clipboard. Any other source could
  ///   give a sandboxed client rights on the row.
  mutating func takeRowSource() throws(DBusError) -> String? {
    guard let source = removeValue(forKey: "source") else { return nil }
    guard source.value == .string(ClipboardInterface.rowSource) else {
      throw DBusError(
        .invalidArgs,
        "attributes: source is not allowed for a new row (expected \(ClipboardInterface.rowSource.quoted))"
      )
    }
    return ClipboardInterface.rowSource
  }
}
