/// One attempt to load a promise, as a pure state machine.
///
/// The promise is kept when the pipe has reached its end and the loader has replied without an
/// error, in either order. It fails when the loader leaves the bus, replies with an error, times
/// out or exceeds a limit. If a loader leaves after its reply, the promise is kept if the loader
/// has already written all bytes and closed the pipe.
///
/// ```
/// loading ──pipe at its end, replied──▶ kept
///    └──an error, timeout, limit, cancelled──▶ failed
/// ```
public struct PromiseState: Hashable, Sendable {
  /// The reason why a promise failed.
  public enum Failure: Error, Hashable, Sendable {
    /// The loader replied with this error message.
    case refused(String)
    /// The loader's connection left the bus.
    case left
    /// The loader timed out: no byte, no end of the pipe and no reply.
    case silent
    /// The destination of the bytes read nothing although its pipe was full.
    case unread
    /// The pipe could not be read, or the bytes could not be stored; the value is the system's
    /// message.
    case broken(String)
    /// The bytes are not valid text of the promised type; the value is the offset of the first
    /// invalid byte.
    case invalidText(Int)
    /// The loader exceeded this limit.
    case limitExceeded(String)
    /// The load was the slowest of many loads, and others waited.
    case slow
    /// No client waits for the promise any longer.
    case cancelled
  }

  /// The next step.
  public enum Action: Hashable, Sendable {
    /// Wait for the next event.
    case wait
    /// The promise is kept: deliver the bytes.
    case keep
    /// The promise has failed: close the pipe and report the failure.
    case fail(Failure)
  }

  private enum Stage: Hashable {
    case loading(isAtEnd: Bool, hasReplied: Bool, hasLeft: Bool)
    case over
  }

  private var stage = Stage.loading(isAtEnd: false, hasReplied: false, hasLeft: false)

  /// Creates an attempt that has just begun.
  public init() {}

  /// Whether the promise has been kept or has failed.
  public var isOver: Bool { stage == .over }

  /// Handles the end of the pipe.
  public mutating func pipeEnded() -> Action {
    advance { stage in stage.isAtEnd = true }
  }

  /// Handles an empty pipe whose other end is open.
  public mutating func pipeIsDry() -> Action {
    guard case .loading(_, _, true) = stage else { return .wait }
    return fail(.left)
  }

  /// Handles a reply without an error.
  public mutating func replied() -> Action {
    advance { stage in stage.hasReplied = true }
  }

  /// Handles the loader's departure from the bus.
  public mutating func left() -> Action {
    guard case .loading(let isAtEnd, let hasReplied, _) = stage else { return .wait }
    guard hasReplied else { return fail(.left) }
    stage = .loading(isAtEnd: isAtEnd, hasReplied: hasReplied, hasLeft: true)
    return .wait
  }

  /// Ends the attempt with a failure.
  public mutating func fail(_ failure: Failure) -> Action {
    guard case .loading = stage else { return .wait }
    stage = .over
    return .fail(failure)
  }

  private mutating func advance(
    _ change: (inout (isAtEnd: Bool, hasReplied: Bool)) -> Void
  ) -> Action {
    guard case .loading(let isAtEnd, let hasReplied, let hasLeft) = stage else { return .wait }
    var both = (isAtEnd: isAtEnd, hasReplied: hasReplied)
    change(&both)
    let isKept = both.isAtEnd && both.hasReplied
    stage =
      isKept
      ? .over : .loading(isAtEnd: both.isAtEnd, hasReplied: both.hasReplied, hasLeft: hasLeft)
    return isKept ? .keep : .wait
  }
}
