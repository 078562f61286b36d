import ArgumentParser
import DragboardClient

/// The drag that a command is about.
struct SessionArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The drag (the latest).", valueName: "number"), completion: .sessions)
  var session: UInt64?

  /// Finds the drag.
  ///
  /// - Throws: `CommandError` if there is none.
  func find(on dragboard: isolated DragboardConnection) async throws -> DragSession {
    try await Self.find(session, on: dragboard)
  }

  /// Finds the drag of a number, or the latest.
  ///
  /// - Throws: `CommandError` if there is none.
  static func find(
    _ number: UInt64?, on dragboard: isolated DragboardConnection
  ) async throws -> DragSession {
    if let number { return DragSession(SessionID(number), on: dragboard) }
    guard let session = try await dragboard.latestSession() else {
      throw CommandError(
        .notFound, "nothing is being dragged", remedy: "'dragboard drag TEXT' begins a drag.")
    }
    return session
  }
}
