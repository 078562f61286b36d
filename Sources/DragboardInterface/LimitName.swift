/// The name of a limit in the property `Limits` of the manager and in the daemon's configuration.
///
/// A name that ends with `bytes` limits a number of bytes. A timeout is in seconds. Other limits
/// are counts.
public enum LimitName: String, CaseIterable, Sendable {
  /// The number of active sessions of one application.
  case maxSessionsPerApplication = "max-sessions-per-application"
  /// The number of active sessions of all applications.
  case maxSessions = "max-sessions"
  /// The number of items of a session.
  case maxItems = "max-items"
  /// The number of bytes of a representation.
  case maxRepresentationBytes = "max-representation-bytes"
  /// The number of bytes of a session.
  case maxSessionBytes = "max-session-bytes"
  /// The number of bytes of all sessions.
  case maxBytes = "max-bytes"
  /// The number of rows of a board.
  case maxRows = "max-rows"
  /// The number of boards.
  case maxBoards = "max-boards"
  /// The number of sections of a board.
  case maxSections = "max-sections"
  /// The number of open views.
  case maxViews = "max-views"
  /// The number of bytes of all rows of a sandbox, plus 4 KiB for each row.
  case maxSandboxBytes = "max-sandbox-bytes"
  /// The number of edits of a board that can be undone.
  case undoSteps = "undo-steps"
  /// The number of bytes of a board's undo history.
  case undoBytes = "undo-bytes"
  /// The time after which an unused session ends.
  case sessionTimeout = "session-timeout"
  /// The time after which a promise fails if its loader sends nothing.
  case loadTimeout = "load-timeout"
  /// The time after which a bus-activated daemon exits if it is not used.
  case idleTimeout = "idle-timeout"
}
