import ArgumentParser
import DragboardClient

extension ParsableCommand {
  /// Connects, finds a board, and runs `body`, as `run(on:)` does.
  ///
  /// The ids of `rows` can determine the board.
  ///
  /// - Throws: `ExitCode`, after the error was printed.
  func run(
    on options: ConnectionOptions, _ board: BoardOptions, having rows: [RowName] = [],
    isInterruptible: Bool = false, _ body: @escaping @Sendable (Board) async throws -> Void
  ) throws {
    try run(on: options, isInterruptible: isInterruptible) { dragboard in
      try await body(try await board.find(on: dragboard, having: rows))
    }
  }

  /// Connects, runs `body`, and translates its errors to exit codes.
  ///
  /// If `isInterruptible` is true, Ctrl-C cancels the body, so that it can clean up.
  ///
  /// - Throws: `ExitCode`, after the error was printed.
  func run(
    on options: ConnectionOptions, isInterruptible: Bool = false,
    _ body: @escaping @Sendable (isolated DragboardConnection) async throws -> Void
  ) throws {
    do {
      try DragboardConnection.run(
        to: options.address, isInterruptible: isInterruptible, body)
    } catch let error as DragboardError {
      throw Self.reported(Self.explained(options.naming(error)))
    } catch let error as CommandError {
      throw Self.reported(error)
    } catch let error as Interrupted {
      throw ExitCode(128 + error.signal)
    } catch Failure.interrupted(let signal) {
      throw ExitCode(128 + signal)
    } catch Failure.outputClosed {
      throw ExitCode(ExitStatus.inputOutput.rawValue)
    } catch let failure as Failure {
      throw Self.reported(CommandError(.inputOutput, failure.description))
    }
  }

  /// The error, with the reason why the daemon did not start.
  private static func explained(_ error: DragboardError) -> CommandError {
    guard error.reason == .noDaemon, let fault = Examination(address: nil, data: nil).startFault
    else { return CommandError(error) }
    return CommandError(
      .noDaemon, "the daemon does not start: \(fault.words)", remedy: fault.remedy)
  }

  private static func reported(_ error: CommandError) -> ExitCode {
    Console.writeError(error.text)
    return ExitCode(error.status.rawValue)
  }
}
