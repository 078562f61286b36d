import DragModel

/// Limits of what clients can make the daemon hold, and its timeouts.
public struct Limits: Sendable {
  /// Sessions of one application that have not ended.
  public var maxSessionsPerApplication = 256
  /// Sessions in all that have not ended.
  public var maxSessions = 4_096
  /// Items in a session.
  public var maxItems = 10_000
  /// Bytes of a representation.
  public var maxRepresentationBytes = 256 << 20
  /// Bytes of a session, all representations together.
  public var maxSessionBytes = 1 << 30
  /// Bytes of all sessions together.
  public var maxBytes = 4 << 30
  /// Rows of a board.
  public var maxRows = 1_000_000
  /// Boards.
  public var maxBoards = 256
  /// Sections of a board.
  public var maxSections = 256
  /// Views that are open.
  public var maxViews = 1_024
  /// Bytes that the rows of one sandbox hold on all boards; each row counts as 4 KiB more.
  public var maxSandboxBytes = 1 << 30
  /// Steps of undo that are kept for sure, of each board.
  public var undoSteps = 100
  /// Bytes that these may hold, of each board: of more, the oldest steps go.
  public var undoBytes = 1 << 30
  /// How long a session lasts that nobody names.
  public var sessionTimeout = Duration.seconds(600)
  /// How long a loader may be silent.
  public var loadTimeout = Duration.seconds(30)
  /// How long a service that comes when it is called stays when nobody uses it.
  public var idleTimeout = Duration.seconds(300)

  /// Rows that a view selects.
  static let maxSelectedRows = 10_000
  /// Rows that all views select and all active sessions drag together.
  ///
  /// Their ids are in the reply of `GetManagedObjects`, which holds 64 MiB.
  static let maxNamedRows = 300_000

  /// The limits as the design gives them.
  public init() {}

  /// Those that hold for each session by itself.
  var ofSessions: SessionLimits {
    SessionLimits(
      maxItems: maxItems, maxRepresentationBytes: maxRepresentationBytes,
      maxSessionBytes: maxSessionBytes)
  }
}
