import CLinux

/// Returns freed memory to the system when calls stop.
///
/// The allocator keeps the many small pieces of a large list for the next one. Without this, the
/// daemon stays as large as in its largest call.
final class IdleTrim {
  private static let quietTime = Duration.seconds(2)

  private unowned let service: Service
  private var isScheduled = false
  private var wasUsed = false

  init(_ service: Service) { self.service = service }

  /// Notes a call: the trim waits until no other follows it for ``quietTime``.
  func noteCall() {
    wasUsed = true
    if !isScheduled { schedule() }
  }

  private func schedule() {
    isScheduled = true
    wasUsed = false
    service.schedule(after: Self.quietTime) { [unowned self] in
      if wasUsed { return schedule() }
      isScheduled = false
      clinux_malloc_trim()
    }
  }
}
