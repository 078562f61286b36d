import FoundationEssentials
import Glibc

/// A temporary directory with mode 0700.
///
/// It is removed when the last reference is released.
final class TemporaryFolder {
  /// The absolute path.
  ///
  /// It is short enough for the path of a socket in the directory.
  let path: String

  /// The maximum length of the parent's path.
  ///
  /// The path of a socket has at most 108 bytes (`sun_path`).
  private static let maxPathLength = 80

  /// Creates the directory in `$TMPDIR`, or in `/tmp` if `$TMPDIR` is unset, relative or too long.
  ///
  /// - Throws: `system`.
  init() throws(Failure) {
    let wanted = Environment["TMPDIR"] ?? "/tmp"
    let fits = wanted.hasPrefix("/") && wanted.utf8.count <= Self.maxPathLength
    let template = strdup("\(fits ? wanted : "/tmp")/dragboard-XXXXXX")
    defer { free(template) }
    guard let template, mkdtemp(template) != nil else { throw .system("mkdtemp") }
    path = String(cString: template)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Creates a directory with mode 0700 in this directory.
  ///
  /// - Returns: the path of the new directory.
  /// - Throws: `system`.
  func makeFolder(_ name: String) throws(Failure) -> String {
    guard mkdir("\(path)/\(name)", 0o700) == 0 else { throw .system("mkdir \(path)/\(name)") }
    return "\(path)/\(name)"
  }
}
