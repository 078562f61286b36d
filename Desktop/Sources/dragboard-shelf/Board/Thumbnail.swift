import CGtk4

/// A small picture that moves from another thread to the main thread.
///
/// Unchecked, because it has the only reference to the picture.
nonisolated struct Thumbnail: @unchecked Sendable {
  /// A GdkPixbuf with the caller's reference; nil without a picture.
  private let pixels: OpaquePointer?

  /// The maximum width and height, for screens with twice the usual resolution.
  private static let extent: Int32 = 88

  /// Creates a thumbnail from a picture's bytes, on another thread.
  @concurrent nonisolated static func make(of bytes: [UInt8]) async -> Thumbnail {
    let data = g_bytes_new(bytes, gsize(bytes.count))
    let stream = g_memory_input_stream_new_from_bytes(data)
    defer {
      g_object_unref(stream)
      g_bytes_unref(data)
    }
    return Thumbnail(
      pixels: gdk_pixbuf_new_from_stream_at_scale(stream, extent, extent, 1, nil, nil))
  }

  /// Creates a thumbnail from a file, on another thread.
  @concurrent nonisolated static func make(at path: String) async -> Thumbnail {
    Thumbnail(pixels: gdk_pixbuf_new_from_file_at_scale(path, extent, extent, 1, nil))
  }

  /// Returns the texture; must be called once.
  @MainActor func texture() -> Owned? {
    guard let pixels else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(pixels)) }
    return gdk_texture_new_for_pixbuf(pixels).map { Owned(adopting: $0) }
  }
}
