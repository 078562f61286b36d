import DragboardClient

/// Tells what becomes of a drag.
struct DragTeller: Sendable {
  private let session: SessionID
  private let isJSON: Bool
  private let progress = ProgressBar("loading")

  /// - Parameters:
  ///   - session: the drag.
  ///   - isJSON: whether JSON is wanted.
  init(_ session: SessionID, isJSON: Bool) {
    self.session = session
    self.isJSON = isJSON
  }

  /// Says which drag it is.
  func tellBeginning() throws(Failure) {
    if isJSON { return try Console.writeLine(["event": "began", "session": JSON(session.number)]) }
    try Console.writeLine("\(session)")
  }

  /// Shows how much is loaded, and tells a program of everything else.
  func tell(_ event: SessionEvent) {
    progress.show(event)
    // Nobody who reads is an end of the output, not of the drag.
    if isJSON, let line = Self.json(event, of: session) { try? Console.writeLine(line) }
  }

  private static func json(_ event: SessionEvent, of session: SessionID) -> JSON? {
    let members: (event: JSON, more: [(String, JSON)])
    switch event {
    case .updated(let application, let board, let operation, let destination):
      members = (
        "proposed",
        [
          ("application", .string(application)), ("board", .string(board.path)),
          ("operation", .string(operation.rawValue)), ("section", JSON(destination.section)),
          ("row", JSON(destination.row)),
        ]
      )
    case .exited(let application, let board):
      members = (
        "exited", [("application", .string(application)), ("board", .string(board.path))]
      )
    case .itemsAdded(let first, let count):
      members = ("items-added", [("first", JSON(first)), ("count", JSON(count))])
    case .willEnd(let operation):
      members = ("will-end", [("operation", .string(operation.rawValue))])
    case .missed: members = ("missed", [])
    case .progressed, .transferred, .ended: return nil
    }
    let all = [("event", members.event), ("session", JSON(session.number))] + members.more
    return .object(all.map { JSON.Member(name: $0.0, value: $0.1) })
  }

  /// Says what came of it.
  ///
  /// - Throws: `CommandError` where nothing did.
  func tellEnd(_ outcome: ActiveDrag.Outcome) throws {
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
      throw CommandError(.refused, "the drag was cancelled")
    }
  }

  private static func words(for outcome: ActiveDrag.Outcome) -> String {
    let verb = outcome.operation == .move ? "moved" : "copied"
    let words = "\(verb) \(Amounts.count(outcome.loaded.count, "item"))"
    guard !outcome.failed.isEmpty else { return words }
    return words + ", \(outcome.failed.count) failed"
  }
}
