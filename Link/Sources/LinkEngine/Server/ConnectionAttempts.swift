internal import CNATS
internal import Synchronization

/// The attempts to connect that libnats is making.
///
/// An attempt can last without an end, on a thread that nothing can stop. Before version 3.8, libnats repeats a read that
/// fails, if the server becomes silent or ends the connection before it has accepted the user; it then uses a processor and
/// more and more memory. In other versions, the handshake of TLS has no timeout. Only a restart of the program helps.
///
/// Source: https://github.com/nats-io/nats.c, issues 706 and 906.
enum ConnectionAttempts {
  private struct State {
    /// The beginnings of first attempts.
    var first: [Int: SuspendingClock.Instant] = [:]
    var lastNumber = 0
    /// The beginnings of the latest attempts of connections that were lost, by their addresses in memory.
    var again: [UInt: SuspendingClock.Instant] = [:]
  }

  private static let state = Mutex(State())

  /// Returns whether an attempt has lasted longer than a duration.
  ///
  /// The time while the machine sleeps does not count.
  static func hasOne(longerThan time: Duration) -> Bool {
    let start = SuspendingClock.now - time
    return state.withLock { state in
      state.first.values.contains { $0 < start } || state.again.values.contains { $0 < start }
    }
  }

  /// Makes the first attempt of a connection.
  static func first(_ body: () -> natsStatus) -> natsStatus {
    let number = state.withLock { state in
      state.lastNumber += 1
      state.first[state.lastNumber] = .now
      return state.lastNumber
    }
    defer { state.withLock { _ = $0.first.removeValue(forKey: number) } }
    return body()
  }

  /// Records that libnats begins an attempt of a connection that was lost, after a delay.
  static func begin(of connection: OpaquePointer?, after delay: Duration = .zero) {
    let address = UInt(bitPattern: connection)
    state.withLock { $0.again[address] = .now + delay }
  }

  /// Records that a connection was made again, or was closed.
  static func end(of connection: OpaquePointer?) {
    let address = UInt(bitPattern: connection)
    state.withLock { _ = $0.again.removeValue(forKey: address) }
  }
}
