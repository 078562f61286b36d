import CLinux
import DBus

/// Gives memory back to the system that a large call has left free.
///
/// A list of a million ids is a million small pieces of memory. The allocator keeps them for the next such list, among what is in
/// use, so that the daemon would stay as large as its largest call.
final class HeapTrim {
  /// Calls with fewer elements leave little behind.
  private static let leastElements = 10_000
  /// Memory is given back when no large call has come for so long: the next one would ask for it again.
  private static let quiet = Duration.seconds(1)

  private unowned let service: Service
  private var isScheduled = false
  private var lastCall = ContinuousClock.now

  init(_ service: Service) { self.service = service }

  /// A call with so many elements in its arguments or its answer is being handled.
  func noteLargeCall(of elements: Int) {
    guard elements >= Self.leastElements else { return }
    lastCall = .now
    if !isScheduled { schedule(after: Self.quiet) }
  }

  private func schedule(after delay: Duration) {
    isScheduled = true
    service.schedule(after: delay) { [unowned self] in
      isScheduled = false
      let rest = lastCall + Self.quiet - .now
      if rest > .zero { schedule(after: rest) } else { clinux_malloc_trim() }
    }
  }
}
