/// The replies that wait until the bus reads them, which decide whether turns wait.
///
/// Replies are sent in order, so each reply waits for all bytes before it. While several holders call,
/// few bytes may wait, so that a small reply follows soon.
final class ReplyBacklog {
  /// The number of bytes waiting to be sent above which a holder with replies among them waits, and
  /// the number while several holders call.
  private static let maxUnsentBytes = 1 << 20
  private static let maxSharedUnsentBytes = 8 << 10
  /// The number of bytes in the socket of the bus, as the kernel counts them, above which all holders
  /// wait while several holders call.
  ///
  /// The bus reads about 30 small replies with this number of bytes in a millisecond.
  private static let maxSharedSocketBytes = 32 << 10
  /// The time after which the socket is checked again.
  private static let pause = Duration.milliseconds(1)
  /// The time for which a holder counts as calling, in nanoseconds.
  private static let memory = 100_000_000

  private let connection: Connection
  /// The holder that was served last, and the time until which another holder counts as calling.
  private var latestHolder: TurnHolder?
  private var sharedEnd: Turns.Time = 0
  /// Whether all turns wait until the bus has read replies.
  private(set) var isPausing = false

  init(_ connection: Connection) { self.connection = connection }

  /// Records that a holder was served.
  func noteTurn(of holder: TurnHolder, at now: Turns.Time) {
    if latestHolder !== holder { (latestHolder, sharedEnd) = (holder, now + Self.memory) }
  }

  /// Returns whether all turns must wait, because each reply waits until the bus has read the replies
  /// before it.
  func mustPause() -> Bool {
    guard !isPausing, sharedEnd >= MonotonicTime.now,
      connection.socketByteCount > Self.maxSharedSocketBytes
    else { return isPausing }
    isPausing = true
    connection.loop.schedule(after: Self.pause) { [weak self] in self?.isPausing = false }
    return true
  }

  /// Returns whether the replies to a holder have been sent, or few bytes wait to be sent.
  func hasSent(to holder: TurnHolder) -> Bool {
    let backlog = connection.backlog
    if backlog <= Self.maxSharedUnsentBytes || holder.replyEnd <= connection.sentByteCount {
      return true
    }
    return backlog <= Self.maxUnsentBytes && sharedEnd < MonotonicTime.now
  }
}
