import CGtk4
import DragboardClient
import Glibc
import ShelfModel

/// A row's bytes as a file in the user's cache, for programs that take files alone.
enum ExportedFile {
  /// Writes a row's file, and gives its address.
  ///
  /// - Throws: what the system says.
  static func write(_ bytes: [UInt8], of row: RowFacts) throws -> String {
    let folder = "\(String(cString: g_get_user_cache_dir()))/dragboard-shelf/\(row.id)"
    guard g_mkdir_with_parents(folder, 0o700) == 0 else { throw Failure(code: errno) }
    let path = "\(folder)/\(row.fileName)"
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
