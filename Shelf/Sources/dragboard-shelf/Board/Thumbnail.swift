import CGtk4

/// A small picture on its way from the thread that made it.
///
/// Unchecked, because nobody else has the picture.
nonisolated struct Thumbnail: @unchecked Sendable {
  /// A GdkPixbuf with a reference that is handed over; nil where there was no picture.
  private let pixels: OpaquePointer?

  /// How large it is at most, each way, for screens of twice the usual resolution.
  private static let extent: Int32 = 88

  /// Makes one of a picture's bytes, on another thread.
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

  /// Makes one of a file, on another thread.
  @concurrent nonisolated static func make(at path: String) async -> Thumbnail {
    Thumbnail(pixels: gdk_pixbuf_new_from_file_at_scale(path, extent, extent, 1, nil))
  }

  /// The picture as it is shown; called once.
  @MainActor func texture() -> Owned? {
    guard let pixels else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(pixels)) }
    return gdk_texture_new_for_pixbuf(pixels).map { Owned(adopting: $0) }
  }
}
