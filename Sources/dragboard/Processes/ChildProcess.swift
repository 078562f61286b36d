import Glibc

/// A child process with a temporary home directory.
///
/// It is killed when the last reference is released.
///
/// It has its own process group. So Ctrl-C reaches only the command, which then ends its children
/// one after another.
final class ChildProcess {
  let name: String
  /// The read end of a pipe from the process's standard output.
  let output: Int32
  private let process: Subprocess
  private let home: PrivateHome
  private var code: Int32?

  var id: pid_t { process.id }

  /// Starts a program whose standard input is `/dev/null`.
  ///
  /// Standard error is written to the log, or to the pipe of standard output if `mergesErrors` is
  /// true.
  ///
  /// - Throws: `system`.
  init(
    _ path: String, _ arguments: [String], in home: PrivateHome, mergesErrors: Bool = false
  ) throws(Failure) {
    name = path
    self.home = home
    let pipe = try Pipe()
    process = try Subprocess(
      path, arguments, environment: home.environment.map { "\($0.key)=\($0.value)" },
      input: .null, output: .descriptor(pipe.writing),
      errors: mergesErrors ? .descriptor(pipe.writing) : .end(of: home.log), hasOwnGroup: true)
    output = pipe.takeReading()
  }

  deinit {
    kill()
    close(output)
  }

  /// Kills the process and waits for its end, unless `wait` has already returned.
  func kill() {
    guard code == nil else { return }
    Glibc.kill(id, SIGKILL)
    wait()
  }

  /// Waits for the end of the process.
  ///
  /// - Returns: the exit code; 128 plus the signal's number if a signal ended the process.
  @discardableResult
  func wait() -> Int32 {
    let code = code ?? process.wait()
    self.code = code
    return code
  }
}
