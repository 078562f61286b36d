import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// Rows, or the items of a drag, as content for other applications: their types are provided at
/// once, their bytes are read from the daemon on request.
final class RowContent {
  private let source: any ContentSource

  /// Creates the content of a source.
  init(_ source: any ContentSource) { self.source = source }

  /// Returns a GdkContentProvider of rows with a reference for the caller; nil if there are no
  /// types.
  ///
  /// If `areFiles`, applications in a sandbox can get the files from the portal.
  static func provider(
    of rows: [RowFacts], on board: Board, areFiles: Bool, isCopy: Bool
  ) -> OpaquePointer? {
    provider(
      of: OutgoingTypes.of(rows, isCopy: isCopy), areFiles: areFiles,
      from: RowsOfBoard(rows, of: board))
  }

  /// Returns a GdkContentProvider of types with a reference for the caller; nil if there are none.
  static func provider(
    of types: [ContentType], areFiles: Bool = false, from source: any ContentSource
  ) -> OpaquePointer? {
    guard !types.isEmpty else { return nil }
    let portal = areFiles && types.contains(.uriList) ? FilePortal.types : []
    let names = (types.map(\.rawValue) + portal).map { g_strdup($0) } + [nil]
    defer { for name in names { g_free(name) } }
    let pointers = names.map { $0.map { UnsafePointer($0) } }
    let provider = shelf_content_new(
      pointers,
      { type, stream, task, data in
        guard let type, let stream, let task, let content = held(data, as: RowContent.self)
        else { return }
        content.write(ContentType(String(cString: type)), to: stream, task)
      }, hold(RowContent(source)), { release($0) })
    return provider.map(\.opaque)
  }

  private func write(
    _ type: ContentType, to stream: UnsafeMutablePointer<GOutputStream>, _ task: OpaquePointer
  ) {
    Task {
      defer { g_object_unref(stream) }
      do {
        if FilePortal.types.contains(type.rawValue) {
          return FilePortal.write(
            try await addresses(), as: type.rawValue, to: stream, task)
        }
        let bytes = try await bytes(of: type)
        try await Writing.write(bytes, to: stream)
        shelf_content_written(task, nil)
      } catch {
        shelf_content_written(task, "\(error)")
      }
    }
  }

  /// Returns the bytes of one item, or of several items joined: texts as lines, addresses as one
  /// list.
  private func bytes(of type: ContentType) async throws -> [UInt8] {
    let items = try await source.items()
    switch type {
    case .uriList: return Array(try await addresses().text.utf8)
    case .copiedFiles:
      let lines = ["copy"] + (try await addresses().all)
      return Array(lines.joined(separator: "\n").utf8)
    case .plainText, "text/plain":
      guard items.allSatisfy({ $0.kind == .addresses && !$0.types.contains(.plainText) }) else {
        break
      }
      let lines = try await addresses().all.map { Addresses.path(of: $0) ?? $0 }
      return Array(lines.joined(separator: "\n").utf8)
    default: break
    }
    guard items.count > 1 else { return try await source.bytes(ofItem: 0, as: type) }
    var texts: [[UInt8]] = []
    for (index, item) in items.enumerated() where item.kind == .text {
      texts.append(try await source.bytes(ofItem: index, as: .plainText))
    }
    return Array(texts.joined(separator: [UInt8(ascii: "\n")]))
  }

  /// Returns the addresses of all items; an item without one is exported as a file, for programs
  /// that accept only addresses.
  func addresses() async throws -> Addresses {
    var lists: [Addresses] = []
    for (index, item) in try await source.items().enumerated() {
      if item.types.contains(.uriList) {
        let bytes = try await source.bytes(ofItem: index, as: .uriList)
        lists.append(Addresses(String(decoding: bytes, as: UTF8.self)))
      } else if item.types.contains(.mozillaLink),
        let link = Addresses.link(
          inMozilla: try await source.bytes(ofItem: index, as: .mozillaLink))
      {
        lists.append(Addresses(link.address))
      } else if let type = item.types.first {
        let bytes = try await source.bytes(ofItem: index, as: type)
        let directory = source.directory(ofItem: index)
        lists.append(
          Addresses(try ExportedFile.write(bytes, named: item.fileName, of: directory)))
      }
    }
    return Addresses(joining: lists)
  }
}

/// A write to a stream of the toolkit.
private final class Writing {
  private let continuation: CheckedContinuation<Void, any Error>

  private init(_ continuation: CheckedContinuation<Void, any Error>) {
    self.continuation = continuation
  }

  /// Writes all bytes without blocking the window.
  static func write(_ bytes: [UInt8], to stream: UnsafeMutablePointer<GOutputStream>) async throws {
    let data = g_bytes_new(bytes, gsize(bytes.count))
    defer { g_bytes_unref(data) }
    var count: gsize = 0
    let start = g_bytes_get_data(data, &count)
    guard count > 0 else { return }
    try await withCheckedThrowingContinuation { continuation in
      g_output_stream_write_all_async(
        stream, start, count, G_PRIORITY_DEFAULT, nil,
        { source, result, data in
          defer { release(data) }
          held(data, as: Writing.self)?.finish(source, result)
        }, hold(Writing(continuation)))
    }
  }

  private func finish(_ source: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?) {
    var error: UnsafeMutablePointer<GError>?
    let isDone = g_output_stream_write_all_finish(source?.of(), result, nil, &error) != 0
    let words = error.map { String(cString: $0.pointee.message) }
    if let error { g_error_free(error) }
    if isDone { return continuation.resume() }
    continuation.resume(throwing: ForeignContent.ReadError(description: words ?? "not written"))
  }
}
