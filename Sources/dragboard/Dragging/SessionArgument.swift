import ArgumentParser
import DragboardClient

/// The argument that names a drag.
struct SessionArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The drag (default: the latest).", valueName: "number"),
    completion: .sessions)
  var session: UInt64?

  /// Finds the drag.
  ///
  /// - Throws: `CommandError` if no number is given and no drag is active.
  func find(on dragboard: isolated DragboardConnection) async throws -> DragSession {
    try await Self.find(session, on: dragboard)
  }

  /// Finds the drag with a number; nil for the latest drag.
  ///
  /// - Throws: `CommandError` if `number` is nil and no drag is active.
  static func find(
    _ number: UInt64?, on dragboard: isolated DragboardConnection
  ) async throws -> DragSession {
    if let number { return DragSession(SessionID(number), on: dragboard) }
    guard let session = try await dragboard.latestSession() else {
      throw CommandError(
        .notFound, "no drag is active",
        remedy: "To begin a drag: \(SuggestedCall("drag", ["TEXT"], hasBoard: false))")
    }
    return session
  }
}
