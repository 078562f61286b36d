import CGtk4
import Glibc

/// The bytes of a row, or of an item of a drag, as a file in the user's cache, for programs that take files alone.
enum ExportedFile {
  /// Writes a file of that name.
  ///
  /// - Parameters:
  ///   - bytes: what it holds.
  ///   - name: what it is called.
  ///   - owner: whose file it is, told from all others: a folder's name.
  /// - Returns: the file's address, as a list of one.
  /// - Throws: what the system says.
  static func write(_ bytes: [UInt8], named name: String, of owner: String) throws -> String {
    let folder = "\(String(cString: g_get_user_cache_dir()))/dragboard-shelf/\(owner)"
    guard g_mkdir_with_parents(folder, 0o700) == 0 else { throw Failure(code: errno) }
    let path = "\(folder)/\(name)"
    var error: UnsafeMutablePointer<GError>?
    let isDone = bytes.withUnsafeBytes {
      g_file_set_contents(
        path, $0.baseAddress?.assumingMemoryBound(to: CChar.self), gssize($0.count), &error) != 0
    }
    defer { if let error { g_error_free(error) } }
    guard isDone, let address = g_filename_to_uri(path, nil, nil) else { throw Failure(code: EIO) }
    defer { g_free(address) }
    return String(cString: address) + "\r\n"
  }

  /// The file was not written.
  struct Failure: Error, CustomStringConvertible {
    /// The system's number for why.
    let code: Int32
    /// The same in words.
    var description: String { "the file could not be written: \(String(cString: strerror(code)))" }
  }
}
