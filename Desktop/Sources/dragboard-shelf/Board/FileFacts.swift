import CGtk4
import DragboardClient

/// The facts that a row shows of a file.
///
/// They are read on another thread, because a file on a network may be slow. A value can be sent to
/// another thread, because it has the only reference to the icon.
nonisolated struct FileFacts: @unchecked Sendable {
  /// The type; nil if the file does not exist.
  let type: ContentType?
  /// Whether it is a directory.
  let isDirectory: Bool
  /// The size in bytes.
  let byteCount: Int
  /// A GIcon with a reference.
  private let icon: OpaquePointer?

  /// Reads the facts of a file.
  @concurrent nonisolated static func read(_ path: String) async -> FileFacts {
    let file = g_file_new_for_path(path)
    defer { if let file { g_object_unref(UnsafeMutableRawPointer(file)) } }
    let names = "standard::type,standard::size,standard::content-type,standard::icon"
    let info = g_file_query_info(file, names, G_FILE_QUERY_INFO_NONE, nil, nil)
    defer { if let info { g_object_unref(UnsafeMutableRawPointer(info)) } }
    guard let info, let type = g_file_info_get_content_type(info) else {
      return FileFacts(type: nil, isDirectory: false, byteCount: 0, icon: nil)
    }
    let icon = g_file_info_get_icon(info)
    if let icon { g_object_ref(UnsafeMutableRawPointer(icon)) }
    return FileFacts(
      type: ContentType(String(cString: type)),
      isDirectory: g_file_info_get_file_type(info) == G_FILE_TYPE_DIRECTORY,
      byteCount: Int(g_file_info_get_size(info)), icon: icon)
  }

  /// Returns the icon; must be called once.
  @MainActor func takeIcon() -> Owned? { icon.map { Owned(adopting: $0) } }
}

extension ContentType {
  /// The readable name: "PDF document".
  nonisolated var readable: String {
    let name = String(rawValue.prefix { $0 != ";" })
    guard let text = g_content_type_get_description(name) else { return name }
    defer { g_free(text) }
    let words = String(cString: text)
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
