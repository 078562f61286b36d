/// The name of a limit: in `Limits` of the Manager interface and in the configuration of the daemon.
///
/// A limit is a count or, as its name says, a number of bytes or of seconds.
public enum LimitName: String, CaseIterable, Sendable {
  /// Active sessions of one application.
  case maxSessionsPerApplication = "max-sessions-per-application"
  /// Active sessions of all applications.
  case maxSessions = "max-sessions"
  /// Items of a session.
  case maxItems = "max-items"
  /// Bytes of a representation.
  case maxRepresentationBytes = "max-representation-bytes"
  /// Bytes of a session.
  case maxSessionBytes = "max-session-bytes"
  /// Bytes of all sessions.
  case maxBytes = "max-bytes"
  /// Rows of a board.
  case maxRows = "max-rows"
  /// Boards.
  case maxBoards = "max-boards"
  /// Sections of a board.
  case maxSections = "max-sections"
  /// Open views.
  case maxViews = "max-views"
  /// Bytes of all rows of a sandbox, and 4 KiB for each.
  case maxSandboxBytes = "max-sandbox-bytes"
  /// Edits of a board that can be undone.
  case undoSteps = "undo-steps"
  /// Bytes that these edits may hold.
  case undoBytes = "undo-bytes"
  /// Time after which an unused session ends.
  case sessionTimeout = "session-timeout"
  /// Time after which a promise with a silent loader fails.
  case loadTimeout = "load-timeout"
  /// Time after which an unused, activated daemon exits.
  case idleTimeout = "idle-timeout"
}
