import CGtk4
import CShelf
import DragboardClient
import Files
import Glibc

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
  /// Writes a file to the shelf's cache.
  ///
  /// - Parameters:
  ///   - contents: the content.
  ///   - name: the file name. An existing file is replaced.
  ///   - owner: the name of the directory for the files of this row or item.
  ///   - transfer: the transfer that shows the progress.
  /// - Returns: the file's address, as a list with one element.
  /// - Throws: the error of the system; then an existing file is unchanged.
  func export(
    _ contents: ReceivedFile, named name: FileName, of owner: String, for transfer: Transfer
  ) async throws -> String {
    let file = try ExportedFile.new(name, of: owner)
    let copy = fcntl(file.descriptor.number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw ExportedFile.Failure(code: errno) }
    let stream = Owned(adopting: made(shelf_output_stream(copy)).opaque)
    try await self.copy(contents, to: stream.pointer.of(), for: transfer)
    try file.commit(isDurable: false)
    guard let address = g_filename_to_uri(file.path, nil, nil) else {
      throw ExportedFile.Failure(code: EINVAL)
    }
    defer { g_free(address) }
    return String(cString: address) + "\r\n"
  }
}

extension Transfers {
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
