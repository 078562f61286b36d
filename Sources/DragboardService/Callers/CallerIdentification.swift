import DBus
import DragModel

/// The identification of clients.
///
/// It asks the bus which process made a connection, and inspects that process.
final class CallerIdentification {
  /// The time after which an identification fails, so that the client is unidentified.
  private static let timeout = Duration.seconds(10)
  /// The time after which an unidentified client is inspected again.
  private static let retryInterval = Duration.seconds(1)

  /// The identification of one client, which ends once.
  private final class Inquiry {
    let name: String
    var timer: Timer?
    var then: ((Identity) -> Void)?

    init(_ name: String, _ then: @escaping (Identity) -> Void) {
      (self.name, self.then) = (name, then)
    }
  }

  private let connection: Connection
  private let scheduler: Scheduler
  private let opensContents: Bool
  private let arrivals: ArrivalLog

  /// Starts to log the arrival of connections.
  ///
  /// If `opensContents` is true, sandboxed clients may read all rows.
  init(_ connection: Connection, _ scheduler: Scheduler, opensContents: Bool) {
    (self.connection, self.scheduler) = (connection, scheduler)
    self.opensContents = opensContents
    arrivals = ArrivalLog(connection)
  }

  /// Identifies the client with a unique name, and calls `then` once.
  func identify(_ name: String, then: @escaping (Identity) -> Void) {
    let inquiry = Inquiry(name, then)
    inquiry.timer = scheduler.after(Self.timeout) { [weak self] _ in
      self?.end(inquiry, .unverified)
    }
    connection.call(
      BusInterface.getConnectionCredentials, at: BusInterface.path, of: .bus, timeout: nil, name
    ) { [weak self] result in
      guard case .success(let values) = result else {
        self?.end(inquiry, .unverified)
        return
      }
      self?.inspect(Credentials(values), inquiry)
    }
  }

  private func inspect(_ credentials: Credentials, _ inquiry: Inquiry) {
    let process = arrivals.process(of: inquiry.name, credentials)
    scheduler.work(inLane: inquiry.name, kind: .inspection) {
      ProcessInspection.evidence(of: credentials, process)
    } then: { [weak self] _, evidence in
      self?.end(inquiry, evidence.confinement)
    }
  }

  private func end(_ inquiry: Inquiry, _ confinement: Confinement) {
    guard let then = inquiry.then else { return }
    inquiry.then = nil
    scheduler.cancel(inquiry.timer)
    let caller = Caller(uniqueName: inquiry.name, confinement: confinement)
    let access = BoardAccess(of: caller, opensContents: opensContents)
    then(
      Identity(
        Client(access), sandbox: access.sandboxOfQuotas,
        validFor: confinement == .unverified ? Self.retryInterval : nil))
  }
}
