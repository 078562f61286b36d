/// Rate-limits bulk callers while an interactive caller is active.
///
/// The bus passes on all calls of one sender before the calls of the next. A client with many calls
/// outstanding therefore occupies the bus and the server, and a single call of another client waits
/// behind all of them. Serving the bulk callers in small portions leaves the bus idle in between.
/// Without an interactive caller, no client is slowed.
struct Pacer {
  /// More calls than this in one loop iteration mark a bulk caller.
  private static let maxCallsPerIteration = 16
  /// The time that a client stays a bulk caller, and the time that it stays an interactive caller.
  private static let bulkMemory = Duration.seconds(1)
  private static let interactiveMemory = Duration.milliseconds(100)
  /// The time between two portions.
  static let interval = Duration.milliseconds(1)
  /// The number of calls that all bulk callers together are granted per interval, and the maximum
  /// per portion.
  private static let callsPerInterval = 8
  private static let maxPortion = 64

  struct ClientState {
    fileprivate var iteration = -1
    fileprivate var callsInIteration = 0
    /// The time until which the client counts as a bulk caller.
    fileprivate var bulkEnd: ContinuousClock.Instant?
    /// Whether the client may have to wait for a portion.
    var isBulk: Bool { bulkEnd != nil }

    /// Records a call, and returns the number of calls in this iteration of the loop.
    fileprivate mutating func noteCall(in iteration: Int) -> Int {
      if self.iteration != iteration { (self.iteration, callsInIteration) = (iteration, 0) }
      callsInIteration += 1
      return callsInIteration
    }
  }

  private struct InteractiveCaller {
    let client: ClientQueue
    let end: ContinuousClock.Instant
  }

  /// The two latest interactive callers.
  ///
  /// `mustWait` needs an interactive caller other than the client in question, so one is not
  /// enough.
  private var interactive: (latest: InteractiveCaller?, other: InteractiveCaller?)
  private var lastPortion = ContinuousClock.now

  /// Records a call of a client in an iteration of the loop.
  mutating func note(_ client: ClientQueue, in iteration: Int) {
    let now = ContinuousClock.now
    var pace = client.pace
    if pace.noteCall(in: iteration) > Self.maxCallsPerIteration || client.gate == .paced {
      if !pace.isBulk { forget(client) }
      pace.bulkEnd = now + Self.bulkMemory
    } else if pace.bulkEnd.map({ $0 < now }) ?? true {
      pace.bulkEnd = nil
      noteInteractive(client, until: now + Self.interactiveMemory)
    }
    client.pace = pace
  }

  /// Returns whether a client's calls wait for a portion.
  func mustWait(_ client: ClientQueue) -> Bool {
    guard client.pace.isBulk else { return false }
    let now = ContinuousClock.now
    func isActive(_ caller: InteractiveCaller?) -> Bool {
      caller.map { $0.client !== client && now < $0.end } ?? false
    }
    return isActive(interactive.latest) || isActive(interactive.other)
  }

  /// Begins to measure the time until the next portion.
  mutating func beginInterval() { lastPortion = max(lastPortion, .now - Self.interval) }

  /// Returns the number of calls that the elapsed time allows.
  mutating func takePortion() -> Int {
    let now = ContinuousClock.now
    let count = Int((now - lastPortion) / Self.interval * Double(Self.callsPerInterval))
    lastPortion = now
    return min(Self.maxPortion, count)
  }

  private mutating func noteInteractive(
    _ client: ClientQueue, until end: ContinuousClock.Instant
  ) {
    let isSame = interactive.latest?.client === client
    let other = isSame ? interactive.other : interactive.latest
    interactive = (InteractiveCaller(client: client, end: end), other)
  }

  private mutating func forget(_ client: ClientQueue) {
    if interactive.other?.client === client { interactive.other = nil }
    if interactive.latest?.client === client { interactive = (interactive.other, nil) }
  }
}
