import FoundationEssentials
import Glibc

/// A temporary directory with mode 0700; it is removed with the last reference.
final class TemporaryFolder {
  /// Its absolute path; short enough for a socket in it.
  let path: String

  /// Maximum length of a path that leaves room for a socket's name: `sun_path` holds 108 bytes.
  private static let maxPathLength = 80

  /// Creates it in `$TMPDIR`, or in `/tmp` if that is unset, relative, or too long for sockets.
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

  /// Makes a folder in it, mode 0700.
  ///
  /// - Returns: the new folder's path.
  /// - Throws: `system`.
  func makeFolder(_ name: String) throws(Failure) -> String {
    guard mkdir("\(path)/\(name)", 0o700) == 0 else { throw .system("mkdir \(path)/\(name)") }
    return "\(path)/\(name)"
  }
}
