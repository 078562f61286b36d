/// One attempt to have a promise kept, as a pure state machine.
///
/// The promise is kept when the pipe is at its end and the loader has replied without an error, in whichever order. It fails when the
/// loader's connection leaves the bus, when it replies with an error, when it is silent for too long, or when it gives more than it may.
/// A loader that has replied and then leaves has kept its promise if all that it wrote, up to the end, is in the pipe.
///
/// ```
/// loading ──pipe at its end, replied──▶ kept
///    └──an error, silence, too much, cancelled──▶ failed
/// ```
public struct PromiseState: Hashable, Sendable {
  /// Why a promise was not kept.
  public enum Failure: Error, Hashable, Sendable {
    /// The loader replied with an error; its message.
    case refused(String)
    /// The loader's connection left the bus.
    case left
    /// Neither a byte, nor the end, nor the reply came for too long.
    case silent
    /// The pipe could not be read, or the bytes not be kept; the system's words.
    case broken(String)
    /// The bytes are not what the type promises; which is the first of them.
    case invalidText(Int)
    /// It gave more than it may; which limit that met.
    case limitExceeded(String)
    /// It was the slowest of many, and others waited.
    case slow
    /// Nobody wants it any more.
    case cancelled
  }

  /// What is to be done now.
  public enum Action: Hashable, Sendable {
    /// Wait on.
    case wait
    /// It is kept: hand the bytes out.
    case keep
    /// It has failed: let go of the pipe, and say why.
    case fail(Failure)
  }

  private enum Stage: Hashable {
    case loading(isAtEnd: Bool, hasReplied: Bool, hasLeft: Bool)
    case over
  }

  private var stage = Stage.loading(isAtEnd: false, hasReplied: false, hasLeft: false)

  /// An attempt that has just begun.
  public init() {}

  /// Whether it has been kept or has failed.
  public var isOver: Bool { stage == .over }

  /// The pipe is at its end, with as many bytes as it gave.
  public mutating func pipeEnded() -> Action {
    advance { stage in stage.isAtEnd = true }
  }

  /// The pipe is empty, and somebody holds its other end.
  public mutating func pipeIsDry() -> Action {
    guard case .loading(_, _, true) = stage else { return .wait }
    return fail(.left)
  }

  /// The loader has replied without an error.
  public mutating func replied() -> Action {
    advance { stage in stage.hasReplied = true }
  }

  /// The loader's connection has left the bus.
  public mutating func left() -> Action {
    guard case .loading(let isAtEnd, let hasReplied, _) = stage else { return .wait }
    guard hasReplied else { return fail(.left) }
    stage = .loading(isAtEnd: isAtEnd, hasReplied: hasReplied, hasLeft: true)
    return .wait
  }

  /// Something that ends the attempt, whatever else is to come.
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
