import DBus
import DragboardStore

/// The division of calls that read or store many rows into short parts.
///
/// Other clients are served between the parts. Later calls of the same client, or of its sandbox, are
/// served after the last part.
struct LongCalls {
  let scheduler: Scheduler
  let admission: Admission

  /// The time after which a part ends.
  struct Budget {
    private let end = ContinuousClock.now + .milliseconds(1)

    /// Whether the part must end.
    var isUsedUp: Bool { .now > end }
  }

  /// Performs a part of a call, and returns whether more remain.
  ///
  /// The last part sends the reply.
  typealias Part<Progress> =
    (inout Progress, Command, Budget) throws(DBusError) -> Bool

  /// Performs a call that reads rows of a board.
  ///
  /// The first part runs at once, in the step of the call.
  ///
  /// - Parameters:
  ///   - command: the call.
  ///   - board: the board.
  ///   - reply: the reply to the call.
  ///   - progress: the value that the parts change, before the first part.
  ///   - part: performs a part within the budget.
  /// - Throws: the error of the first part.
  func run<Progress, each O: BusValue>(
    _ command: Command, on board: BoardEntity, answering reply: Reply<repeat each O>,
    from progress: Progress, part: @escaping Part<Progress>
  ) throws(DBusError) {
    var progress = progress
    guard try perform(part, &progress, command) else { return }
    proceed(command, on: board, answering: reply, from: progress, part: part)
  }

  /// Performs the parts of a call in later turns of its client.
  ///
  /// The parameters are the same as in ``run(_:on:answering:from:part:)``. `onEnd` is called once, in
  /// the step of the last part, even if the call has failed.
  func proceed<Progress, each O: BusValue>(
    _ command: Command, on board: BoardEntity, answering reply: Reply<repeat each O>,
    from progress: Progress, part: @escaping Part<Progress>,
    onEnd: @escaping (Step) -> Void = { _ in }
  ) {
    let state = State()
    // If the step is rolled back, earlier parts have read values that do not exist.
    command.step.afterCommit {
    } orElse: {
      state.isRolledBack = true
      reply.refuse(.rolledBack)
    }
    var progress = progress
    admission.continueCall(of: command.sender) { [scheduler] in
      var hasMore = false
      scheduler.step { step in
        do throws(DBusError) {
          if !state.isRolledBack { hasMore = try next(&progress, step, command, board, part) }
        } catch { reply.refuse(error) }
        if !hasMore { onEnd(step) }
      }
      return hasMore
    }
  }

  /// Calls `body` in turns of a client, each time in a separate step, until it returns false.
  func repeatInTurns(of client: String, _ body: @escaping (Step) -> Bool) {
    admission.continueCall(of: client) { [scheduler] in
      var hasMore = false
      scheduler.step { hasMore = body($0) }
      return hasMore
    }
  }

  private final class State {
    var isRolledBack = false
  }

  /// Performs the next part, unless the board has edits that are not committed.
  private func next<Progress>(
    _ progress: inout Progress, _ step: Step, _ command: Command, _ board: BoardEntity,
    _ part: Part<Progress>
  ) throws(DBusError) -> Bool {
    try board.checkExists(in: step)
    guard !step.isUncommitted else {
      step.commitNow()
      return true
    }
    return try perform(part, &progress, command.resumed(in: step))
  }

  /// Performs a part in one transaction of the store.
  ///
  /// A page of rows has thousands of reads, and separate transactions would take a seventh of its time.
  private func perform<Progress>(
    _ part: Part<Progress>, _ progress: inout Progress, _ command: Command
  ) throws(DBusError) -> Bool {
    try command.step.store.reading { () throws(DBusError) in
      try part(&progress, command, Budget())
    }
  }
}
