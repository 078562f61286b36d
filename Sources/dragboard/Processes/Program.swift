import Files
import Glibc

/// The paths of programs.
enum Program {
  /// Returns the path of a program of this project: in the directory of the running program, or on
  /// PATH.
  ///
  /// - Throws: `missing` with the command that builds the program.
  static func findSibling(_ name: String) throws(Failure) -> String {
    let sibling = ownFolder.map { "\($0)/\(name)" }
    if let sibling, isExecutable(sibling) { return sibling }
    guard let path = onPath(name) else {
      throw .missing(
        program: name,
        remedy: "put it into the directory of dragboard or on PATH; to build both: swift build")
    }
    return path
  }

  /// Returns the program's absolute path; nil if it is not on PATH.
  static func onPath(_ name: String) -> String? {
    let path = Environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }.first(where: isExecutable)
  }

  /// Source: proc_pid_exe(5).
  private static var ownFolder: Substring? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    let text = String(cString: path)
    return text.lastIndex(of: "/").map { text[..<$0] }
  }

  private static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
