import Files
import FoundationEssentials
import Glibc

/// A temporary directory with mode 0700.
///
/// It is removed when the last reference is released, unless `isKept` is true.
final class TemporaryFolder {
  /// The absolute path.
  let path: String
  /// Whether the directory stays.
  var isKept = false

  /// Creates the directory in `$TMPDIR`, or in `/tmp` if `$TMPDIR` is unset or relative.
  ///
  /// - Throws: `system`.
  init() throws(Failure) {
    let wanted = Environment["TMPDIR"] ?? "/tmp"
    let template = strdup("\(wanted.hasPrefix("/") ? wanted : "/tmp")/dragboard-XXXXXX")
    defer { free(template) }
    guard let template, mkdtemp(template) != nil else { throw .system("mkdtemp") }
    path = String(cString: template)
  }

  deinit { if !isKept { try? FileManager.default.removeItem(atPath: path) } }
}
