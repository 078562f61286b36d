import Files

extension Subprocess {
  /// Starts a command in `/bin/sh`.
  ///
  /// - Throws: `system`.
  init(
    shell command: String, input: Stream = .inherited, output: Stream = .inherited,
    group: Group = .inherited
  ) throws(Failure) {
    do throws(SystemError) {
      try self.init("/bin/sh", ["-c", command], input: input, output: output, group: group)
    } catch { throw Failure(error) }
  }

  /// Runs a program until it exits.
  ///
  /// - Parameters:
  ///   - path: the path of the program.
  ///   - arguments: the arguments after the program's name.
  ///   - errors: standard error; nil to add it to the output.
  /// - Returns: the exit status, as `wait` returns it, and the output.
  /// - Throws: `system`.
  static func output(
    of path: String, _ arguments: [String], errors: Stream? = nil
  ) throws(Failure) -> (status: Int32, output: [UInt8]) {
    do throws(SystemError) {
      let (process, output) = try start(path, arguments, errors)
      let bytes = withExtendedLifetime(output) {
        try? InputFile(output.number, name: path, isOwned: false).bytes()
      }
      return (process.wait(), bytes ?? [])
    } catch { throw Failure(error) }
  }

  /// Starts a program; returns the read end of its output.
  private static func start(
    _ path: String, _ arguments: [String], _ errors: Stream?
  ) throws(SystemError) -> (Subprocess, output: FileDescriptor) {
    // The write end closes when this function returns, so that the output ends with the program.
    let pipe = try FileDescriptor.makePipe()
    let output = Stream.descriptor(pipe.writing)
    let process = try Subprocess(
      path, arguments, input: .null, output: output, errors: errors ?? output)
    return (process, pipe.reading)
  }

  /// Returns the last line of an output.
  static func lastLine(of output: [UInt8]) -> String? {
    String(decoding: output, as: UTF8.self).split(separator: "\n").last.map(String.init)
  }
}
