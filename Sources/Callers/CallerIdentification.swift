public import DBus
public import DragModel

/// The identification of callers.
///
/// The identification asks the bus which process made a connection, and inspects this process. It
/// is confined to the connection's loop.
public final class CallerIdentification {
  /// Runs `work`, which reads files in `/proc`, on another thread, then calls `then` on the loop.
  public typealias Work = (
    _ name: String, _ work: @escaping @Sendable () -> ConfinementEvidence,
    _ then: @escaping (ConfinementEvidence) -> Void
  ) -> Void

  /// The time after which an identification fails, so that the caller is unidentified.
  private static let timeout = Duration.seconds(10)
  /// The time after which an unidentified caller is inspected again.
  private static let retryInterval = Duration.seconds(1)

  /// The identification of one caller, which ends once.
  private final class Inquiry {
    let name: String
    var timer: Timer?
    var then: ((Caller, Duration?) -> Void)?

    init(_ name: String, _ then: @escaping (Caller, Duration?) -> Void) {
      (self.name, self.then) = (name, then)
    }
  }

  private let connection: Connection
  private let work: Work
  private let arrivals: ArrivalLog

  /// Starts to log the arrival of connections.
  public init(_ connection: Connection, work: @escaping Work) {
    (self.connection, self.work) = (connection, work)
    arrivals = ArrivalLog(connection)
  }

  /// Identifies the caller with a unique name.
  ///
  /// - Parameters:
  ///   - name: the unique name.
  ///   - then: called once with the caller, and with the time for which the result is valid; nil if
  ///     it does not expire.
  public func identify(_ name: String, then: @escaping (Caller, Duration?) -> Void) {
    let inquiry = Inquiry(name, then)
    inquiry.timer = connection.loop.schedule(after: Self.timeout) { [weak self] in
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
    work(inquiry.name) {
      ProcessInspection.evidence(of: credentials, process)
    } _: { [weak self] evidence in
      self?.end(inquiry, evidence.confinement)
    }
  }

  private func end(_ inquiry: Inquiry, _ confinement: Confinement) {
    guard let then = inquiry.then else { return }
    inquiry.then = nil
    if let timer = inquiry.timer { connection.loop.cancel(timer) }
    let caller = Caller(uniqueName: inquiry.name, confinement: confinement)
    then(caller, confinement == .unverified ? Self.retryInterval : nil)
  }
}
