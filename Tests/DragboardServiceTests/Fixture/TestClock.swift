import Synchronization

/// A clock that the test sets, in microseconds since 1970.
final class TestClock: Sendable {
  private let value = Mutex<UInt64>(0)
  var time: UInt64 {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}
