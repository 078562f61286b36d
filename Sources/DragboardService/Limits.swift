import DragModel

/// The limits of the resources that clients can use, and the timeouts.
public struct Limits: Sendable {
  /// The number of active sessions of one application.
  public var maxSessionsPerApplication = 256
  /// The number of active sessions of all applications.
  public var maxSessions = 4_096
  /// The number of items in a session.
  public var maxItems = 10_000
  /// The size of a representation in bytes.
  public var maxRepresentationBytes = 256 << 20
  /// The size of all representations of a session in bytes.
  public var maxSessionBytes = 1 << 30
  /// The size of all sessions in bytes.
  public var maxBytes = 4 << 30
  /// The number of rows of a board.
  public var maxRows = 1_000_000
  /// The number of boards.
  public var maxBoards = 256
  /// The number of sections of a board.
  public var maxSections = 256
  /// The number of open views.
  public var maxViews = 1_024
  /// The size of the rows of one sandbox on all boards in bytes, plus 4 KiB for each row.
  public var maxSandboxBytes = 1 << 30
  /// The number of undo steps of a board.
  ///
  /// Older steps are forgotten.
  public var undoSteps = 100
  /// The size of the undo steps of a board in bytes.
  ///
  /// If it is exceeded, the oldest steps are forgotten.
  public var undoBytes = 1 << 30
  /// The time after which an unused session ends.
  public var sessionTimeout = Duration.seconds(600)
  /// The time after which a promise fails if its loader sends nothing.
  public var loadTimeout = Duration.seconds(30)
  /// The time after which a bus-activated service exits if it is not used.
  public var idleTimeout = Duration.seconds(300)

  /// The maximum number of rows that one view selects.
  static let maxSelectedRows = 10_000
  /// The maximum number of rows that all views select and all active sessions drag.
  ///
  /// The limit keeps the reply of `GetManagedObjects`, which contains the ids of these rows, below
  /// the bus's limit of 64 MiB.
  static let maxNamedRows = 300_000

  /// Creates the default limits.
  public init() {}

  /// The limits of each session.
  var ofSessions: SessionLimits {
    SessionLimits(
      maxItems: maxItems, maxRepresentationBytes: maxRepresentationBytes,
      maxSessionBytes: maxSessionBytes)
  }
}
