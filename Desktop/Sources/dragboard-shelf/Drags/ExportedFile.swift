import CGtk4
import DragboardClient
import Glibc

/// The bytes of a row, or of an item of a drag, as a file in the user's cache, for programs that
/// accept only files.
enum ExportedFile {
  /// Writes a file, replacing an existing one.
  ///
  /// - Parameters:
  ///   - bytes: the content.
  ///   - name: the file name.
  ///   - owner: the name of the directory for the files of this row or item.
  /// - Returns: the file's address, as a list with one element.
  /// - Throws: the error of the system.
  static func write(_ bytes: [UInt8], named name: FileName, of owner: String) throws -> String {
    let directory = "\(directory)/\(owner)"
    guard g_mkdir_with_parents(directory, 0o700) == 0 else { throw Failure(code: errno) }
    return try write(bytes, to: "\(directory)/\(name)")
  }

  /// Writes a file, replacing an existing one, and returns its address as a list with one element.
  @discardableResult
  static func write(_ bytes: [UInt8], to path: String) throws -> String {
    // The temporary file has another name, so the name may have the maximum length.
    let file = g_file_new_for_path(path)
    defer { g_object_unref(file.map { UnsafeMutableRawPointer($0) }) }
    var error: UnsafeMutablePointer<GError>?
    let isDone = bytes.withUnsafeBytes {
      g_file_replace_contents(
        file, $0.baseAddress?.assumingMemoryBound(to: CChar.self), gsize($0.count), nil, 0,
        G_FILE_CREATE_REPLACE_DESTINATION, nil, nil, &error) != 0
    }
    defer { if let error { g_error_free(error) } }
    guard isDone, let address = g_file_get_uri(file) else { throw Failure(code: EIO) }
    defer { g_free(address) }
    return String(cString: address) + "\r\n"
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

  /// The error for a file that could not be written.
  struct Failure: Error, CustomStringConvertible {
    /// The error number of the system.
    let code: Int32
    /// The error message.
    var description: String { "the file could not be written: \(String(cString: strerror(code)))" }
  }
}
