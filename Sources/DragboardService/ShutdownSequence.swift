import DBus
import DragboardInterface

/// The end of the daemon.
///
/// The daemon releases its name, completes the work in progress, and then leaves the bus.
///
/// The bus delivers all messages to the name before it confirms the release. So the daemon has
/// received every call when the confirmation arrives. A later call starts another daemon, which
/// waits until this daemon leaves the data directory.
final class ShutdownSequence {
  /// The maximum time of the sequence.
  private static let timeout = Duration.seconds(5)
  private static let interval = Duration.milliseconds(5)

  private let connection: Connection
  private let scheduler: Scheduler
  private let activity: any Activity
  private let onLeaving: (Bool) -> Void
  private let onEnd: () -> Void
  private var deadline: Timer?

  /// Creates a sequence that has not begun.
  ///
  /// - Parameters:
  ///   - connection: the bus that the daemon leaves.
  ///   - scheduler: measures the time.
  ///   - activity: the activity of the service.
  ///   - onLeaving: is called with true before the name is released, and with false if the name is
  ///     acquired again.
  ///   - onEnd: is called when it is time to leave the bus.
  init(
    _ connection: Connection, _ scheduler: Scheduler, _ activity: any Activity,
    onLeaving: @escaping (Bool) -> Void, onEnd: @escaping () -> Void
  ) {
    (self.connection, self.scheduler, self.activity) = (connection, scheduler, activity)
    (self.onLeaving, self.onEnd) = (onLeaving, onEnd)
  }

  /// Begins the sequence unless it has already begun.
  ///
  /// - Parameter isForced: whether the daemon leaves even if new sessions or views appear during
  ///   the sequence.
  func begin(isForced: Bool) {
    guard deadline == nil else { return }
    deadline = scheduler.after(Self.timeout) { [weak self] _ in self?.end() }
    onLeaving(true)
    connection.call(
      BusInterface.releaseName, at: BusInterface.path, of: .bus, timeout: nil,
      Dragboard.busName.text
    ) { [weak self] _ in
      guard let self else { return }
      if isForced || !activity.isInUse { waitForRest() } else { stay() }
    }
  }

  /// Acquires the name again, because the daemon would lose a new session or view if it left.
  ///
  /// If another process has acquired the name, the daemon leaves nevertheless.
  private func stay() {
    connection.call(
      BusInterface.requestName, at: BusInterface.path, of: .bus, timeout: nil,
      Dragboard.busName.text, Service.nameFlags
    ) { [weak self] result in
      guard let self else { return }
      guard case .success(BusInterface.isPrimaryOwner) = result else { return waitForRest() }
      scheduler.cancel(deadline)
      deadline = nil
      onLeaving(false)
    }
  }

  private func waitForRest() {
    guard deadline != nil else { return }
    guard !activity.isAtRest else { return end() }
    scheduler.after(Self.interval) { [weak self] _ in self?.waitForRest() }
  }

  private func end() {
    scheduler.cancel(deadline)
    onEnd()
  }
}

protocol Activity: AnyObject {
  /// Whether sessions or views exist that would be lost without the service.
  var isInUse: Bool { get }
  /// Whether no client waits for the service.
  var isAtRest: Bool { get }
}
