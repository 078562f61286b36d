import Files
import Glibc

/// A program that the service `serve` runs.
struct SupervisedProgram: Equatable {
  /// The name in messages.
  let name: String
  let path: String
  let arguments: [String]
  /// Variables that are added to the environment.
  var variables: [String: String] = [:]
  /// The address at which the program listens, if it can be changed only by a new start.
  var address = ""
  /// The content of the files that the program reads; after a change, it gets SIGHUP.
  var files = ""
  /// Whether the group cannot be reached without the program.
  var isNecessary = true

  /// Whether both are the same process, possibly with other files.
  func isSameProcess(as other: SupervisedProgram) -> Bool {
    var other = other
    other.files = files
    return self == other
  }

  /// Returns the path of a program on PATH or in the directories of system programs; nil if there is
  /// none.
  static func find(_ name: String) -> String? {
    let path = (Environment["PATH"] ?? "/usr/bin:/bin") + ":/usr/local/sbin:/usr/sbin:/sbin"
    return path.split(separator: ":").map { "\($0)/\(name)" }
      .first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
  }
}
