import CGtk4
import CShelf
import ShelfModel

/// A small picture that is created on another thread and shown on the main thread.
///
/// A value can be sent to another thread, because it has the only reference to the picture.
nonisolated struct Thumbnail: @unchecked Sendable {
  /// A GdkPixbuf with the caller's reference; nil without a picture.
  private let pixels: OpaquePointer?
  /// The width and the height of the original picture; 0 without a picture.
  let width, height: Int32

  /// The maximum width and height, which suffice for screens with twice the usual resolution.
  static let extent: Int32 = 96

  /// Creates a thumbnail from a picture's bytes, on another thread.
  @concurrent nonisolated static func make(
    of bytes: [UInt8], extent: Int32 = extent
  ) async -> Thumbnail {
    var (width, height): (Int32, Int32) = (0, 0)
    let pixels = shelf_picture(bytes, gsize(bytes.count), extent, &width, &height)
    return Thumbnail(pixels: pixels, width: width, height: height)
  }

  /// Creates a thumbnail from a file, on another thread.
  @concurrent nonisolated static func make(
    at path: String, extent: Int32 = extent
  ) async -> Thumbnail {
    var (width, height): (Int32, Int32) = (0, 0)
    gdk_pixbuf_get_file_info(path, &width, &height)
    let isLarge = max(width, height) > extent
    let pixels =
      isLarge
      ? gdk_pixbuf_new_from_file_at_scale(path, extent, extent, 1, nil)
      : gdk_pixbuf_new_from_file(path, nil)
    return Thumbnail(pixels: pixels, width: width, height: height)
  }

  /// The size as the user sees it: `640 × 480`.
  var size: String { localized("%1 × %2", "\(width)", "\(height)") }

  /// Returns the texture; must be called once.
  @MainActor func texture() -> Owned? {
    guard let pixels else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(pixels)) }
    return gdk_texture_new_for_pixbuf(pixels).map { Owned(adopting: $0) }
  }
}
