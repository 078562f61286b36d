/// The error of a failed call.
public struct DragboardError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, for programs.
  public let reason: Reason
  /// The message, for people: the argument, the problem, and the valid values.
  public let message: String

  /// Creates an error.
  public init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }

  /// The message.
  public var description: String { message }

  /// The reason of a failed call.
  public enum Reason: Hashable, Sendable {
    // MARK: The daemon cannot be reached

    /// There is no bus at the address, or the session has no bus.
    case noBus
    /// The daemon is not on the bus, and cannot be started.
    case noDaemon
    /// The connection to the bus is closed or lost.
    case disconnected
    /// The daemon left the bus or took too long to reply. The call may have taken effect.
    case noReply

    /// The clipboard bridge does not run.
    case noClipboard

    // MARK: The object does not exist

    /// The board does not exist.
    case noSuchBoard
    /// The session does not exist, or ended more than a minute ago.
    case noSuchSession
    /// The view does not exist.
    case noSuchView
    /// The board or session has no such item.
    case noSuchItem
    /// The item has no representation of the requested type.
    case noSuchRepresentation

    // MARK: The daemon refuses the call

    /// Another board has this name.
    case boardExists
    /// The session has ended, or is ending.
    case sessionEnded
    /// The item already has a representation of this type.
    case duplicateRepresentation
    /// The row can be neither changed nor deleted.
    case notEditable
    /// The row cannot be moved.
    case notMovable
    /// No requested item of a drop arrived.
    case loadFailed
    /// The board has a newer revision, or the changes since the revision are no longer stored.
    case staleRevision
    /// No edit can be undone.
    case nothingToUndo
    /// No edit can be redone.
    case nothingToRedo
    /// The view is in edit mode.
    case editing
    /// The caller has no permission for this call.
    case accessDenied
    /// The call would exceed a limit of the daemon or of the bus.
    case limitsExceeded
    /// An argument is invalid.
    case invalidArguments
    /// The daemon has another version and does not know the method.
    case unsupported

    // MARK: The call failed

    /// Reading or writing a file, a pipe or the disk failed.
    case inputOutput
    /// The task was cancelled.
    case cancelled
    /// The reply of the daemon violates the contract.
    case malformedReply
    /// Any other error, with its name on the bus.
    case other(String)
  }
}

extension DragboardError.Reason {
  /// Whether the daemon could not be reached.
  public var isAbsence: Bool {
    switch self {
    case .noBus, .noDaemon, .disconnected, .noReply: true
    default: false
    }
  }

  /// Whether the named object does not exist.
  public var isNotFound: Bool {
    switch self {
    case .noSuchBoard, .noSuchSession, .noSuchView, .noSuchItem, .noSuchRepresentation: true
    default: false
    }
  }
}
