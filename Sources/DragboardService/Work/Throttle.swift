import DBus

/// Does something soon after it is asked to, and no more than ten times a second.
final class Throttle {
  private static let interval = Duration.milliseconds(100)

  private let service: Service
  private let body: () -> Void
  private var last: Duration?
  private var timer: Timer?

  init(_ service: Service, _ body: @escaping () -> Void) {
    self.service = service
    self.body = body
  }

  /// Has it done: now, or when it is time.
  func ask() {
    guard timer == nil else { return }
    let wait = last.map { $0 + Self.interval - service.uptime } ?? .zero
    guard wait > .zero else { return act() }
    timer = service.schedule(after: wait) { [weak self] in
      self?.timer = nil
      self?.act()
    }
  }

  /// Forgets what it was asked.
  func stop() {
    if let timer { service.connection.loop.cancel(timer) }
    timer = nil
  }

  private func act() {
    last = service.uptime
    body()
  }
}
