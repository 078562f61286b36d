import CGtk4
import CShelf
import DragboardClient
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

  /// Returns the addresses of the files that another application has passed to the portal.
  ///
  /// - Parameter key: the key of the files.
  /// - Returns: the addresses.
  /// - Throws: `ForeignContent.ReadError` if the portal refuses the key or has no files.
  static func addresses(for key: String) async throws -> Addresses {
    let paths = try await withCheckedThrowingContinuation { continuation in
      var arguments = [g_variant_new_string(key), shelf_no_options()]
      let bus = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil)
      g_dbus_connection_call(
        bus, "org.freedesktop.portal.Documents", "/org/freedesktop/portal/documents",
        "org.freedesktop.portal.FileTransfer", "RetrieveFiles",
        g_variant_new_tuple(&arguments, 2), nil, G_DBUS_CALL_FLAGS_NONE, 10_000, nil,
        { source, result, data in
          defer { release(data) }
          held(data, as: Answer.self)?.finish(source, result)
        }, hold(Answer(continuation)))
      if let bus { g_object_unref(bus.object) }
    }
    guard !paths.isEmpty else { throw ForeignContent.ReadError(description: "no files") }
    return Addresses(paths.compactMap(address(of:)))
  }

  private static func address(of path: String) -> String? {
    guard let text = g_filename_to_uri(path, nil, nil) else { return nil }
    defer { g_free(text) }
    return String(cString: text)
  }

  /// The answer of the portal.
  private final class Answer {
    private let continuation: CheckedContinuation<[String], any Error>

    init(_ continuation: CheckedContinuation<[String], any Error>) {
      self.continuation = continuation
    }

    func finish(_ bus: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?) {
      var error: UnsafeMutablePointer<GError>?
      guard let answer = g_dbus_connection_call_finish(bus?.opaque, result, &error) else {
        let message = error.map { String(cString: $0.pointee.message) } ?? "no answer"
        if let error { g_error_free(error) }
        return continuation.resume(throwing: ForeignContent.ReadError(description: message))
      }
      defer { g_variant_unref(answer) }
      continuation.resume(returning: Self.paths(in: answer))
    }

    private static func paths(in answer: OpaquePointer) -> [String] {
      guard g_variant_n_children(answer) > 0, let list = g_variant_get_child_value(answer, 0) else {
        return []
      }
      defer { g_variant_unref(list) }
      return (0..<g_variant_n_children(list)).compactMap { index in
        guard let path = g_variant_get_child_value(list, index) else { return nil }
        defer { g_variant_unref(path) }
        return g_variant_get_string(path, nil).map { String(cString: $0) }
      }
    }
  }

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
