import CGtk4
import DragboardClient
import Glibc

/// The content of a row, or of an item of a drag, as a file in the user's cache.
///
/// Some programs accept only files.
enum ExportedFile {
  /// Returns the path of a file, and creates its directory.
  ///
  /// - Parameters:
  ///   - name: the file name.
  ///   - owner: the name of the directory for the files of this row or item.
  /// - Returns: the path.
  /// - Throws: the error of the system.
  static func path(named name: FileName, of owner: String) throws -> String {
    let directory = "\(directory)/\(owner)"
    guard g_mkdir_with_parents(directory, 0o700) == 0 else { throw Failure(code: errno) }
    return "\(directory)/\(name)"
  }

  /// Deletes the files of a row, or of all rows and drags.
  static func remove(of owner: String? = nil) {
    let path = owner.map { "\(directory)/\($0)" } ?? directory
    guard let names = g_dir_open(path, 0, nil) else { return }
    while let name = g_dir_read_name(names) {
      let name = String(cString: name)
      if owner == nil { remove(of: name) } else { unlink("\(path)/\(name)") }
    }
    g_dir_close(names)
    rmdir(path)
  }

  private static let directory = "\(String(cString: g_get_user_cache_dir()))/dragboard-shelf"

  /// The error if a file could not be written.
  struct Failure: Error, CustomStringConvertible {
    /// The error number of the system.
    let code: Int32
    /// The error message.
    var description: String { "the file could not be written: \(String(cString: strerror(code)))" }
  }
}

extension Transfers {
  /// Writes a file; replaces an existing file.
  ///
  /// - Returns: the file's address, as a list with one element.
  /// - Throws: the error of the system; then an existing file is unchanged.
  func save(
    _ contents: ReceivedFile, to path: String, for transfer: Transfer
  ) async throws -> String {
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
    guard g_output_stream_close(stream.of(), nil, nil) != 0, let address = g_file_get_uri(file)
    else { throw ExportedFile.Failure(code: EIO) }
    defer { g_free(address) }
    return String(cString: address) + "\r\n"
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
