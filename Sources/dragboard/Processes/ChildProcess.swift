import Glibc

/// A process in a private home, killed and waited for with the last reference.
///
/// It has its own process group: Ctrl-C reaches the command alone, which then ends its children in
/// order.
final class ChildProcess {
  let name: String
  /// The read end of a pipe from the process's standard output.
  let output: Int32
  private let process: Subprocess
  private let home: PrivateHome
  private var code: Int32?

  var id: pid_t { process.id }

  /// Starts a program; its standard input is `/dev/null`.
  ///
  /// With `mergesErrors` standard error goes to the same pipe as standard output, not to the log.
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

  /// Kills the process and waits for its end; nothing if it has ended.
  func kill() {
    guard code == nil else { return }
    Glibc.kill(id, SIGKILL)
    wait()
  }

  /// Waits for the end of the process.
  ///
  /// - Returns: the exit code; 128 and the signal's number if a signal ended it.
  @discardableResult
  func wait() -> Int32 {
    let code = code ?? process.wait()
    self.code = code
    return code
  }
}
