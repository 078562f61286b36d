import Synchronization

/// The commands that promises of a drag run; none outlives the drag.
final class PromisedCommands: Sendable {
  private struct State {
    var running: [Int: ShellCommand] = [:]
    var lastNumber = 0
    var isOver = false
  }

  private let state = Mutex(State())

  /// Runs a command to its end; the thread waits.
  ///
  /// - Parameters:
  ///   - command: as a shell takes it.
  ///   - output: where its standard output goes.
  /// - Throws: `CommandError` where it fails; `Failure` where it cannot be started.
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

  /// Asks what runs to end, and runs nothing more.
  func end() {
    state.withLock { state in
      state.isOver = true
      for process in state.running.values { process.end() }
    }
  }

  private func start(_ command: String, output: Int32) throws -> (Int, ShellCommand) {
    try state.withLock { state in
      guard !state.isOver else { throw CommandError(.failure, "the drag is over") }
      let process = try ShellCommand(
        command, input: .nothing, output: output, hasOwnGroup: true)
      state.lastNumber += 1
      state.running[state.lastNumber] = process
      return (state.lastNumber, process)
    }
  }
}
