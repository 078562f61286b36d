import CGtk4
import CShelf
import ShelfModel

/// Files for applications in a sandbox, through `org.freedesktop.portal.FileTransfer`.
///
/// Source:
/// https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.FileTransfer.html
enum FilePortal {
  /// The types that sandboxed applications request; empty if the portal is not on the bus.
  static var types: [String] {
    guard let names = shelf_portal_types() else { return [] }
    defer { g_strfreev(names) }
    return (0..<Int(g_strv_length(names))).compactMap { names[$0].map { String(cString: $0) } }
  }

  /// Starts the toolkit's search for the portal, which takes some time.
  static func look() { _ = types }

  /// Writes the key with which an application gets files from the portal.
  static func write(
    _ addresses: Addresses, as type: String, to stream: UnsafeMutablePointer<GOutputStream>,
    _ task: OpaquePointer
  ) {
    let names = addresses.all.map { g_strdup($0) } + [nil]
    defer { for name in names { g_free(name) } }
    let pointers = names.map { $0.map { UnsafePointer($0) } }
    shelf_write_to_portal(stream, type, pointers, task)
  }
}
