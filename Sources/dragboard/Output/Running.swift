import ArgumentParser
import DragboardClient

extension ParsableCommand {
  /// Connects, finds a board, runs `body`, and translates errors to exit codes.
  ///
  /// If the first of `rows` is an id, and there is no `--board`, the board is the board of this
  /// row.
  ///
  /// - Throws: `ExitCode`, after it has printed the error.
  func run(
    on options: ConnectionOptions, _ board: BoardOptions, having rows: [RowName] = [],
    isInterruptible: Bool = false, _ body: @escaping @Sendable (Board) async throws -> Void
  ) throws {
    try run(on: options, isInterruptible: isInterruptible) { dragboard in
      try await body(try await board.find(on: dragboard, having: rows))
    }
  }

  /// Connects, runs `body`, and translates errors to exit codes.
  ///
  /// If `isInterruptible` is true, Ctrl-C cancels the task of `body`, which can then clean up.
  ///
  /// - Throws: `ExitCode`, after it has printed the error.
  func run(
    on options: ConnectionOptions, isInterruptible: Bool = false,
    _ body: @escaping @Sendable (isolated DragboardConnection) async throws -> Void
  ) throws {
    let watch = ReplyWatch(address: options.address)
    defer { watch.end() }
    var hasPager = false
    do {
      defer { hasPager = Pager.finish() }
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
    } catch Failure.outputClosed where hasPager {
      // The user has seen enough.
    } catch Failure.outputClosed {
      throw ExitCode(ExitStatus.inputOutput.rawValue)
    } catch let failure as Failure {
      throw Self.reported(CommandError(.inputOutput, failure.description))
    }
  }

  /// Returns the error.
  ///
  /// If the daemon does not run because a fault prevents its start, the message states the fault.
  private static func explained(_ error: DragboardError) -> CommandError {
    guard error.reason == .noDaemon, let fault = Examination(address: nil, data: nil).startFault
    else { return CommandError(error) }
    return CommandError(
      .noDaemon, "the daemon cannot start: \(fault.words)", remedy: fault.remedy)
  }

  private static func reported(_ error: CommandError) -> ExitCode {
    Console.writeError(error.text)
    return ExitCode(error.status.rawValue)
  }
}
