import CGtk4
import Files
import Glibc

/// The programs of the project, and their processes.
enum Programs {
  /// The path of this program.
  static let own = RunningProgram.own?.path

  /// Returns the path of a program in the directory of this program, or on `PATH`; nil if it does
  /// not exist.
  static func find(_ name: String) -> String? {
    if let own {
      let sibling = own.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/\(name)"
      if access(sibling, X_OK) == 0 { return sibling }
    }
    guard let path = g_find_program_in_path(name) else { return nil }
    defer { g_free(path) }
    return String(cString: path)
  }

  /// Runs a program until it exits.
  ///
  /// - Parameters:
  ///   - path: the path of the program.
  ///   - arguments: the arguments after the program's name, which other users can see.
  ///   - input: the text of standard input; nil for the standard input of this process.
  /// - Returns: whether it succeeded, and its output.
  static func run(
    _ path: String, _ arguments: [String], input: String? = nil
  ) async -> (isDone: Bool, output: String) {
    let words = ([path] + arguments).map { g_strdup($0) } + [nil]
    defer { for word in words { g_free(word) } }
    let pointers = words.map { $0.map { UnsafePointer($0) } }
    let flags =
      G_SUBPROCESS_FLAGS_STDOUT_PIPE.rawValue | G_SUBPROCESS_FLAGS_STDERR_MERGE.rawValue
      | (input == nil ? 0 : G_SUBPROCESS_FLAGS_STDIN_PIPE.rawValue)
    guard let process = g_subprocess_newv(pointers, GSubprocessFlags(rawValue: flags), nil) else {
      return (false, "")
    }
    defer { g_object_unref(process.object) }
    return await withCheckedContinuation { continuation in
      g_subprocess_communicate_utf8_async(
        process, input, nil,
        { source, result, data in
          defer { release(data) }
          held(data, as: Run.self)?.finish(source?.opaque, result)
        }, hold(Run(continuation)))
    }
  }

  private final class Run {
    private let continuation: CheckedContinuation<(isDone: Bool, output: String), Never>

    init(_ continuation: CheckedContinuation<(isDone: Bool, output: String), Never>) {
      self.continuation = continuation
    }

    func finish(_ process: OpaquePointer?, _ result: OpaquePointer?) {
      var output: UnsafeMutablePointer<CChar>?
      let isRead = g_subprocess_communicate_utf8_finish(process, result, &output, nil, nil) != 0
      defer { g_free(output) }
      continuation.resume(
        returning: (
          isRead && g_subprocess_get_successful(process) != 0,
          output.map { String(cString: $0) } ?? ""
        ))
    }
  }
}
