import CGtk4
import CShelf
import DragboardClient
import Files
import Glibc
import Synchronization

/// The contents of rows, or of items of drags, as files in the shelf's cache.
///
/// Some programs accept only files.
enum ExportedFile {
  /// The error if a file could not be written.
  struct Failure: Error, CustomStringConvertible {
    /// The error number of the system.
    let code: Int32
    /// The error message.
    var description: String { "the file could not be written: \(String(cString: strerror(code)))" }
  }

  /// The time between two searches for files that no drag has used for a day.
  private static let interval = Duration.seconds(60 * 60)

  /// Creates a file, and its directory.
  ///
  /// - Parameters:
  ///   - name: the file name.
  ///   - owner: the name of the directory for the files of this row or item.
  /// - Returns: the file.
  /// - Throws: the error of the system.
  fileprivate static func new(_ name: FileName, of owner: String) throws -> AtomicFile {
    guard let path = ShelfCache.userPath else { throw Failure(code: ENOENT) }
    return try ShelfCache(path, isCreated: true).newFile(named: name.text, of: owner)
  }

  /// Deletes the files that no drag has used for a day, now and repeatedly.
  static func removeExpired() {
    if let path = ShelfCache.userPath, let cache = try? ShelfCache(path) {
      cache.removeExpired(at: .seconds(time(nil)))
    }
    MainLoop.after(interval) { removeExpired() }
  }
}

extension Transfers {
  /// Writes an item to a file in the shelf's cache.
  ///
  /// A promise can have any number of bytes, so its bytes are written as they arrive.
  ///
  /// - Parameters:
  ///   - item: the index of the item.
  ///   - source: the source of the content.
  ///   - type: the type of the content.
  ///   - name: the file name. An existing file is replaced.
  ///   - transfer: the transfer that shows the progress.
  /// - Returns: the file's address, as a list with one element.
  /// - Throws: the error of the system; then an existing file is unchanged.
  func export(
    item: Int, of source: any ContentSource, as type: ContentType, named name: FileName,
    for transfer: Transfer
  ) async throws -> String {
    let file = try ExportedFile.new(name, of: source.directory(ofItem: item))
    if try await !receive(item: item, of: source, as: type, into: file.descriptor, for: transfer) {
      let copy = fcntl(file.descriptor.number, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { throw ExportedFile.Failure(code: errno) }
      let stream = Owned(adopting: made(shelf_output_stream(copy)).opaque)
      let contents = try await source.file(ofItem: item, as: type)
      try await self.copy(contents, to: stream.pointer.of(), for: transfer)
    }
    try file.commit(isDurable: false)
    guard let address = g_filename_to_uri(file.path, nil, nil) else {
      throw ExportedFile.Failure(code: EINVAL)
    }
    defer { g_free(address) }
    return String(cString: address) + "\r\n"
  }
}

extension Transfers {
  /// The time between two reports of the progress of a promise.
  private static let reportInterval = Duration.milliseconds(200)

  /// Writes the bytes of a promise to a file as they arrive.
  ///
  /// - Returns: false if the item is not a promise; then nothing was written.
  /// - Throws: the error of the source or of the system.
  private func receive(
    item: Int, of source: any ContentSource, as type: ContentType, into file: FileDescriptor,
    for transfer: Transfer
  ) async throws -> Bool {
    let size = try await source.promisedSize(ofItem: item, as: type)
    let arrived = ArrivedCount()
    let reporting = Task {
      while size > 0, !Task.isCancelled {
        try? await Task.sleep(for: Self.reportInterval)
        report(transfer, Double(arrived.value) / Double(size))
      }
    }
    defer { reporting.cancel() }
    return try await source.receive(item: item, as: type) {
      try file.write($0)
      arrived.add($0.count)
    }
  }

  /// Writes a file that the user has chosen; replaces an existing file.
  ///
  /// - Throws: the error of the system; then an existing file is unchanged.
  func save(
    _ contents: ReceivedFile, to path: String, for transfer: Transfer
  ) async throws {
    let file = g_file_new_for_path(path)
    defer { g_object_unref(file.map { UnsafeMutableRawPointer($0) }) }
    let isNew = access(path, F_OK) != 0
    // The temporary file has another name, so the name may have the maximum length.
    guard let stream = g_file_replace(file, nil, 0, G_FILE_CREATE_REPLACE_DESTINATION, nil, nil)
    else { throw ExportedFile.Failure(code: EIO) }
    defer { g_object_unref(stream) }
    do { try await copy(contents, to: stream.of(), for: transfer) } catch {
      stream.of(GOutputStream.self).discard()
      if isNew { unlink(path) }
      throw error
    }
    guard g_output_stream_close(stream.of(), nil, nil) != 0 else {
      throw ExportedFile.Failure(code: EIO)
    }
  }
}

/// The number of bytes that have arrived, which another thread counts.
nonisolated private final class ArrivedCount: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  func add(_ more: Int) { count.add(more, ordering: .relaxed) }
}

extension UnsafeMutablePointer where Pointee == GOutputStream {
  /// Closes the stream of an incomplete file without replacing an existing file.
  ///
  /// A close that is not cancelled would replace the file.
  fileprivate func discard() {
    let cancelled = made(g_cancellable_new())
    g_cancellable_cancel(cancelled)
    g_output_stream_close(self, cancelled, nil)
    g_object_unref(cancelled.object)
  }
}
