import Synchronization

/// The commands that make the promised data of a drag; none outlives the drag.
final class PromisedCommands: Sendable {
  private struct State {
    var running: [Int: Subprocess] = [:]
    var lastNumber = 0
    var isOver = false
  }

  private let state = Mutex(State())

  /// Runs a command of the shell, and waits for its end.
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
      throw CommandError(.failure, "the command ended with exit code \(code)")
    }
  }

  /// Terminates the running commands, and starts no others.
  func end() {
    state.withLock { state in
      state.isOver = true
      for process in state.running.values { process.terminateGroup() }
    }
  }

  private func start(_ command: String, output: Int32) throws -> (Int, Subprocess) {
    try state.withLock { state in
      guard !state.isOver else { throw CommandError(.failure, "the drag is over") }
      let process = try Subprocess(
        shell: command, input: .null, output: .descriptor(output), hasOwnGroup: true)
      state.lastNumber += 1
      state.running[state.lastNumber] = process
      return (state.lastNumber, process)
    }
  }
}
