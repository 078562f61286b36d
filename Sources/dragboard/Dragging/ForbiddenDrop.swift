import DragboardClient

extension CommandError {
  /// Returns the error for a drop that a board forbids, with the reason and the remedy.
  static func forbidden(
    _ session: DragSession, on board: Board, as application: Application
  ) async throws(DragboardError) -> CommandError {
    let (drag, info) = (try await session.info(), try await board.info())
    let isLocal = drag.application == application.id
    if drag.isRestrictedToApplication, !isLocal { return restricted(session, to: drag.application) }
    if isLocal, drag.sourceBoard == board.id {
      return forbidden(session, "a row was deleted from the board, or cannot be moved")
    }
    guard drag.itemCount > 0 else { return forbidden(session, "the drag has no items") }
    guard try await !board.dropTarget.canHandle(session.id) else {
      return forbidden(
        session, "the board '\(info.name)' is full",
        remedy:
          "To allow more rows: \(SuggestedCall.boardSetting(info.name, "--max-rows", "COUNT"))")
    }
    let types = try await ItemSummary(of: session, count: drag.itemCount).types
    let refused = types.filter { !$0.conforms(toOneOf: info.acceptedTypes) }
    guard !refused.isEmpty else {
      return forbidden(session, "a board accepts only items that every application may load")
    }
    return notAccepted(forbidden(session), refused, by: info)
  }

  /// Returns the error for a drag that only its source can drop.
  static func restricted(_ session: DragSession, to source: String) -> CommandError {
    forbidden(session, "only the source of the drag, \(source), can drop it")
  }

  private static func forbidden(
    _ session: DragSession, _ reason: String, remedy: String? = nil
  ) -> CommandError {
    CommandError(.refused, "\(forbidden(session)): \(reason)", remedy: remedy)
  }

  private static func forbidden(_ session: DragSession) -> String {
    "the drop of drag \(session.id) is forbidden"
  }
}
