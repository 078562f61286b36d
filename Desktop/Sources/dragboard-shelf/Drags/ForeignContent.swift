import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// The content that another application offers by a drag over the shelf or by the clipboard.
///
/// Its types are known at once. Its bytes are requested one type at a time, because some
/// applications handle only one request at a time.
final class ForeignContent {
  /// The error if content could not be read.
  struct ReadError: Error, CustomStringConvertible {
    /// The message of the toolkit.
    let description: String
  }

  /// The offered types, in the other application's order.
  let types: OfferedTypes
  private let source: Owned
  private let isClipboard: Bool
  private var latest: Task<Void, Never>?
  /// The addresses of the files in the portal, which returns them only once.
  private var files: Task<[UInt8], any Error>?
  /// The time of the drop on an X11 display; 0 before the drop and on other displays.
  private var dropTime: UInt32 = 0

  /// Creates the content of a GdkDrop.
  init(drop: OpaquePointer) {
    source = Owned(retaining: drop)
    isClipboard = false
    types = OfferedTypes(Self.names(gdk_drop_get_formats(drop)))
  }

  /// Creates the content of a GdkClipboard.
  init(clipboard: OpaquePointer) {
    source = Owned(retaining: clipboard)
    isClipboard = true
    types = OfferedTypes(Self.names(gdk_clipboard_get_formats(clipboard)))
  }

  private static func names(_ formats: OpaquePointer?) -> [String] {
    var count: gsize = 0
    guard let formats, let names = gdk_content_formats_get_mime_types(formats, &count)
    else { return [] }
    return (0..<Int(count)).compactMap { names[$0].map { String(cString: $0) } }
  }

  /// Reads all bytes of the type that the other application calls `name`.
  ///
  /// Waits until earlier requests have ended.
  func read(_ name: String) async throws -> [UInt8] {
    guard OfferedTypes.portalNames.contains(name) else { return try await readNext(name) }
    if let files { return try await files.value }
    let task = Task {
      let key = try await readNext(name).prefix { $0 != 0 }
      let addresses = try await FilePortal.addresses(for: String(decoding: key, as: UTF8.self))
      return Array(addresses.text.utf8)
    }
    files = task
    return try await task.value
  }

  private func readNext(_ name: String) async throws -> [UInt8] {
    let before = latest
    let task = Task {
      await before?.value
      return try await bytes(of: name)
    }
    latest = Task { _ = await task.result }
    return try await task.value
  }

  /// Records the time of the drop; must be called while its signal is emitted.
  func noteDrop() { dropTime = shelf_x_drop_time(source.pointer) }

  private func bytes(of name: String) async throws -> [UInt8] {
    if dropTime != 0 {
      let names = name == ContentType.plainText.rawValue ? [name, "UTF8_STRING"] : [name]
      for name in names {
        if let bytes = try? await XDropAnswer.bytes(of: name, in: source, at: dropTime) {
          return bytes
        }
      }
    }
    // The toolkit converts the text encodings of X11.
    return try await bytes(of: stream(of: name))
  }

  private func stream(of name: String) async throws -> Owned {
    try await withCheckedThrowingContinuation { continuation in
      let answer = Answer(isClipboard: isClipboard, continuation)
      name.withCString { name in
        var names: [UnsafePointer<CChar>?] = [name, nil]
        let done: GAsyncReadyCallback = { source, result, data in
          Answer.take(data)?.finishOpening(source, result)
        }
        if isClipboard {
          gdk_clipboard_read_async(
            source.pointer, &names, G_PRIORITY_DEFAULT, nil, done, hold(answer))
        } else {
          gdk_drop_read_async(
            source.pointer, &names, G_PRIORITY_DEFAULT, nil, done, hold(answer))
        }
      }
    }
  }

  private func bytes(of stream: Owned) async throws -> [UInt8] {
    let memory = Owned(adopting: made(g_memory_output_stream_new_resizable()).opaque)
    _ = try await withCheckedThrowingContinuation { continuation in
      g_output_stream_splice_async(
        memory.pointer.of(), stream.pointer.of(),
        GOutputStreamSpliceFlags(
          rawValue: G_OUTPUT_STREAM_SPLICE_CLOSE_SOURCE.rawValue
            | G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET.rawValue), G_PRIORITY_DEFAULT, nil,
        { source, result, data in Answer.take(data)?.finishCopying(source, result) },
        hold(Answer(isClipboard: false, continuation)))
    }
    return Array(adopting: g_memory_output_stream_steal_as_bytes(memory.pointer.of()))
  }
}

extension [UInt8] {
  /// Copies a GBytes and releases the caller's reference.
  init(adopting data: OpaquePointer?) {
    defer { g_bytes_unref(data) }
    var count: gsize = 0
    let start = g_bytes_get_data(data, &count)
    self = start.map { Array(UnsafeRawBufferPointer(start: $0, count: Int(count))) } ?? []
  }
}

/// The callback for the toolkit's answer.
private final class Answer {
  private let isClipboard: Bool
  private let continuation: CheckedContinuation<Owned, any Error>

  init(isClipboard: Bool, _ continuation: CheckedContinuation<Owned, any Error>) {
    self.isClipboard = isClipboard
    self.continuation = continuation
  }

  static func take(_ data: UnsafeMutableRawPointer?) -> Answer? {
    defer { release(data) }
    return held(data, as: Answer.self)
  }

  func finishOpening(_ source: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?) {
    var error: UnsafeMutablePointer<GError>?
    let stream =
      isClipboard
      ? gdk_clipboard_read_finish(source?.opaque, result, nil, &error)
      : gdk_drop_read_finish(source?.opaque, result, nil, &error)
    conclude(stream.map { Owned(adopting: $0.opaque) }, error)
  }

  func finishCopying(_ source: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?) {
    var error: UnsafeMutablePointer<GError>?
    let count = g_output_stream_splice_finish(source?.of(), result, &error)
    conclude(count < 0 ? nil : source.map { Owned(retaining: $0.opaque) }, error)
  }

  private func conclude(_ object: Owned?, _ error: UnsafeMutablePointer<GError>?) {
    if let object { return continuation.resume(returning: object) }
    let message = error.map { String(cString: $0.pointee.message) } ?? "no data were transferred"
    if let error { g_error_free(error) }
    continuation.resume(throwing: ForeignContent.ReadError(description: message))
  }
}
