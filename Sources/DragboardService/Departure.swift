import DBus
import DragboardInterface

/// How the daemon leaves: the name first, then what is in hand, then the bus.
///
/// What the bus had sent to the name when it took that back comes before its answer; so after the answer nothing can be missed, and who
/// calls then has another daemon started. That one waits for the data.
final class Departure {
  /// After that nothing is waited for any more.
  private static let patience = Duration.seconds(5)
  private static let interval = Duration.milliseconds(5)

  private unowned let service: Service
  /// Called when it is time to end.
  private let onEnd: () -> Void
  /// Called before the name is given back, and with false when it is had again.
  private let onLeaving: (Bool) -> Void
  private var deadline: Timer?

  init(
    _ service: Service, onLeaving: @escaping (Bool) -> Void, onEnd: @escaping () -> Void
  ) {
    self.service = service
    self.onLeaving = onLeaving
    self.onEnd = onEnd
  }

  /// Whether it is under way.
  var isUnderWay: Bool { deadline != nil }

  /// Leaves.
  ///
  /// - Parameter isForced: whether it leaves even where sessions or views have come meanwhile.
  func begin(isForced: Bool) {
    guard !isUnderWay else { return }
    deadline = service.schedule(after: Self.patience) { [weak self] in self?.end() }
    onLeaving(true)
    service.connection.call(
      BusInterface.releaseName, at: BusInterface.path, of: .bus, timeout: nil,
      Dragboard.busName.text
    ) { [weak self] _ in
      guard let self else { return }
      if isForced || !service.isInUse { waitForRest() } else { comeBack() }
    }
  }

  /// Somebody has begun what would be lost: goes on, where nobody else has the name by now.
  private func comeBack() {
    let request = BusInterface.requestName
    service.connection.call(
      request, at: BusInterface.path, of: .bus, timeout: nil, Dragboard.busName.text,
      Service.nameFlags
    ) { [weak self] result in
      guard let self else { return }
      guard case .success(BusInterface.isPrimaryOwner) = result else { return waitForRest() }
      if let deadline { service.connection.loop.cancel(deadline) }
      deadline = nil
      onLeaving(false)
    }
  }

  private func waitForRest() {
    guard isUnderWay else { return }
    guard !service.isAtRest else { return end() }
    service.schedule(after: Self.interval) { [weak self] in self?.waitForRest() }
  }

  private func end() {
    if let deadline { service.connection.loop.cancel(deadline) }
    onEnd()
  }
}
