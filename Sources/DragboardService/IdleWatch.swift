import DBus

/// Tells when nobody has used the service for a while, and nothing is there that would be lost without it.
final class IdleWatch {
  /// In so many parts the time is measured: asking for the time at every call would cost more than this.
  private static let parts = 4

  private unowned let service: Service
  private let onIdle: () -> Void
  private var quietParts = 0
  /// Whether anybody has called since that was last asked.
  var wasUsed = true

  init(_ service: Service, _ onIdle: @escaping () -> Void) {
    self.service = service
    self.onIdle = onIdle
  }

  /// Watches, from now on.
  func start() {
    service.schedule(after: service.limits.idleTimeout / Self.parts) { [weak self] in
      self?.look()
      self?.start()
    }
  }

  private func look() {
    let isQuiet = !wasUsed && !service.isInUse && service.isAtRest
    quietParts = isQuiet ? quietParts + 1 : 0
    wasUsed = false
    if quietParts >= Self.parts { onIdle() }
  }
}
