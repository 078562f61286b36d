/// Why something that was asked of Dragboard was not done.
public struct DragboardError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What programs decide by.
  public let reason: Reason
  /// What people read: what was wrong, with which argument, and what would have been right.
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
    /// None of what a drop asked for arrived.
    case loadFailed
    /// The board has moved on, or the revision is too long ago.
    case staleRevision
    /// There is nothing to take back.
    case nothingToUndo
    /// There is nothing to make again.
    case nothingToRedo
    /// The view is in edit mode.
    case editing
    /// The caller may not do that.
    case accessDenied
    /// It would be more than the daemon, or the bus, holds.
    case limitsExceeded
    /// An argument is not what the call takes.
    case invalidArguments
    /// The daemon is of another version and does not know the call.
    case unsupported

    // MARK: It went wrong

    /// Reading or writing failed: the disk, a file, a pipe.
    case inputOutput
    /// The task was cancelled.
    case cancelled
    /// The daemon's answer is not what the contract says.
    case malformedReply
    /// Anything else; the error's name on the bus.
    case other(String)
  }
}

extension DragboardError.Reason {
  /// Whether it means that there is no daemon to be reached: nobody refused anything.
  public var isAbsence: Bool {
    switch self {
    case .noBus, .noDaemon, .disconnected, .noReply: true
    default: false
    }
  }

  /// Whether it means that what was named is not there.
  public var isNotFound: Bool {
    switch self {
    case .noSuchBoard, .noSuchSession, .noSuchView, .noSuchItem, .noSuchRepresentation: true
    default: false
    }
  }
}
