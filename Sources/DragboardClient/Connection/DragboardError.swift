/// The error of a call.
public struct DragboardError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, for programs.
  public let reason: Reason
  /// The message, for people: the argument, the problem, and what is valid.
  public let message: String

  /// An error for that reason.
  public init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }

  /// The message.
  public var description: String { message }

  /// Why something was not done.
  public enum Reason: Hashable, Sendable {
    // MARK: There is nobody to ask

    /// There is no bus at the address, or none for this session.
    case noBus
    /// Nobody on the bus is the daemon, and none can be started.
    case noDaemon
    /// The connection to the bus is gone.
    case disconnected
    /// No reply came: the daemon left, or took too long; whether the call took effect is not known.
    case noReply

    /// The bridge to the clipboard does not run.
    case noClipboard

    // MARK: It is not there

    /// No board has that name.
    case noSuchBoard
    /// There is no such session, or it ended more than a minute ago.
    case noSuchSession
    /// There is no such view.
    case noSuchView
    /// The board or session has no such item.
    case noSuchItem
    /// The item has no representation that fits.
    case noSuchRepresentation

    // MARK: It cannot be done

    /// A board has that name already.
    case boardExists
    /// The session has ended, or is ending.
    case sessionEnded
    /// The item has a representation of that type already.
    case duplicateRepresentation
    /// The row can be neither changed nor deleted.
    case notEditable
    /// The row cannot be moved.
    case notMovable
    /// No requested item of a drop arrived.
    case loadFailed
    /// The board has moved on, or the revision is too long ago.
    case staleRevision
    /// No edit can be undone.
    case nothingToUndo
    /// There is nothing to make again.
    case nothingToRedo
    /// The view is in edit mode.
    case editing
    /// The caller may not do that.
    case accessDenied
    /// It would be more than the daemon, or the bus, holds.
    case limitsExceeded
    /// An argument is invalid.
    case invalidArguments
    /// The daemon is of another version and does not know the call.
    case unsupported

    // MARK: It went wrong

    /// Reading or writing failed: the disk, a file, a pipe.
    case inputOutput
    /// The task was cancelled.
    case cancelled
    /// The reply of the daemon violates the contract.
    case malformedReply
    /// Anything else; the error's name on the bus.
    case other(String)
  }
}

extension DragboardError.Reason {
  /// Whether the daemon could not be reached, as opposed to a refusal.
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
