import DragboardClient
import Glibc

/// The reporter of a drag's events to the user.
struct DragReporter: Sendable {
  private let session: SessionID
  private let isJSON: Bool
  private let progress = ProgressBar("loading")

  init(_ session: SessionID, isJSON: Bool) {
    self.session = session
    self.isJSON = isJSON
  }

  /// Reports the number of the drag.
  ///
  /// - Parameter timeout: the time after which a detached drag ends; nil if the command waits.
  /// - Throws: `outputClosed`, `system`.
  func reportBeginning(endingAfter timeout: SessionTimeout?) throws(Failure) {
    if isJSON {
      let line: JSON = ["event": "began", "session": JSON(session.number)]
      guard let timeout else { return try Console.writeLine(line) }
      let end = Amounts.timestamp(Amounts.now + timeout.duration)
      return try Console.writeLine(line + ["active_until": .string(end)])
    }
    try Console.writeLine("\(session)")
  }

  /// Prints the possible next commands, if the output is a terminal.
  ///
  /// - Parameter timeout: the time after which a detached drag ends; nil if the command waits.
  func reportNextSteps(endingAfter timeout: SessionTimeout?) {
    guard !isJSON, Console.isTerminal, isatty(STDERR_FILENO) == 1 else { return }
    let drop = SuggestedCall("drop", ["\(session)"], hasBoard: false)
    let steps =
      if let timeout {
        "To drop it: \(drop)\n"
          + "To cancel it: \(SuggestedCall("cancel", ["\(session)"], hasBoard: false))\n"
          + "Unless it is used, it ends in \(Amounts.words(timeout.duration))."
      } else { "To drop it, in another terminal: \(drop)\nCtrl-C cancels it." }
    Console.writeError("\(steps)\n")
  }

  /// Shows a progress event as a progress bar.
  ///
  /// With `--json`, prints the other events as JSON.
  func report(_ event: SessionEvent) {
    progress.show(event)
    // If the reader closes the output, the drag continues.
    if isJSON, let line = Self.json(event, of: session) { try? Console.writeLine(line) }
  }

  private static func json(_ event: SessionEvent, of session: SessionID) -> JSON? {
    func line(_ name: String, _ members: JSON) -> JSON {
      ["event": .string(name), "session": JSON(session.number)] + members
    }
    return switch event {
    case .updated(let application, let board, let operation, let destination):
      line(
        "proposed",
        [
          "application": .string(application), "position": .string(destination.description),
          "board": .string(board.path),
          "operation": .string(operation.rawValue), "section": JSON(destination.section),
          "row": JSON(destination.row),
        ])
    case .exited(let application, let board):
      line("exited", ["application": .string(application), "board": .string(board.path)])
    case .itemsAdded(let first, let count):
      line("items-added", ["first": JSON(first), "count": JSON(count)])
    case .willEnd(let operation): line("will-end", ["operation": .string(operation.rawValue)])
    case .missed: line("missed", [:])
    case .progressed, .transferred, .ended: nil
    }
  }

  /// Reports that the destination has returned the drag, which begins again.
  func reportReturn() throws(Failure) {
    guard isJSON else {
      return Console.writeError(
        "the destination could not store the items; the drag begins again\n")
    }
    try Console.writeLine(["event": "returned", "session": JSON(session.number)])
  }

  /// Reports the outcome.
  ///
  /// - Parameters:
  ///   - outcome: the outcome.
  ///   - failure: the reason why this source could not keep a promise; nil if it kept all promises.
  /// - Throws: `CommandError` if the drag was cancelled or the drop failed.
  func reportEnd(_ outcome: ActiveDrag.Outcome, failure: String?) throws {
    if isJSON {
      try Console.writeLine([
        "event": "ended", "session": JSON(session.number),
        "operation": .string(outcome.operation.rawValue),
        "loaded": .array(outcome.loaded.map { JSON($0) }),
        "failed": .array(outcome.failed.map { JSON($0) }),
      ])
    } else if outcome.operation.transfers {
      try Console.writeLine(Self.words(for: outcome))
    }
    guard outcome.operation.transfers else {
      guard !outcome.failed.isEmpty else { throw CommandError(.refused, "the drag was cancelled") }
      let reason = failure.map { ": \($0)" } ?? ", because no item arrived"
      throw CommandError(.refused, "the drop failed\(reason)")
    }
  }

  private static func words(for outcome: ActiveDrag.Outcome) -> String {
    let verb = outcome.operation == .move ? "moved" : "copied"
    let words = "\(verb) \(Amounts.count(outcome.loaded.count, "item"))"
    guard !outcome.failed.isEmpty else { return words }
    return words + ", \(outcome.failed.count) failed"
  }
}
