import Files
import Synchronization

/// The commands that produce the promised data of a drag.
///
/// They end with the drag.
final class PromisedCommands: Sendable {
  private struct State {
    var running: [Int: Subprocess] = [:]
    var lastNumber = 0
    var isOver = false
  }

  private let state = Mutex(State())

  /// Runs a shell command, and waits until it ends.
  ///
  /// - Throws: `CommandError` if it fails; `Failure` if it cannot be started.
  func run(_ command: String, output: Int32) throws {
    let (number, process) = try start(command, output: output)
    process.waitForEnd()
    let code = state.withLock { state in
      state.running[number] = nil
      return process.wait()
    }
    guard code == 0 else {
      throw CommandError(.failure, "the command exited with status \(code)")
    }
  }

  /// Terminates the running commands.
  ///
  /// Later calls of `run` fail.
  func end() {
    state.withLock { state in
      state.isOver = true
      for process in state.running.values { process.terminateGroup() }
    }
  }

  private func start(_ command: String, output: Int32) throws -> (Int, Subprocess) {
    try state.withLock { state in
      guard !state.isOver else { throw CommandError(.failure, "the drag has ended") }
      let process = try Subprocess(
        shell: command, input: .null, output: .number(output), group: .own)
      state.lastNumber += 1
      state.running[state.lastNumber] = process
      return (state.lastNumber, process)
    }
  }
}
