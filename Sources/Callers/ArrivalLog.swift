import DBus
import Glibc

/// The times at which connections appeared on the bus.
///
/// A bus without `ProcessFD` identifies the process of a connection only by its process number. If
/// the process exits while another process still uses its connection, a new process can get the
/// number. The start time shows this: a process that started after the connection appeared did not
/// make the connection.
///
/// A connection that is older than the log counts as if it had appeared at the start of the log. On
/// a bus with `ProcessFD` the log stays empty, and does not subscribe to signals.
final class ArrivalLog {
  /// The way in which the bus identifies processes.
  private enum Naming {
    /// The bus has not answered yet.
    case unknown
    /// The bus provides pidfds.
    case handles
    /// The bus provides process numbers of this PID namespace. `start` is the start of the log.
    case numbers(start: BootTime)
    /// The bus provides numbers of another PID namespace, or nothing.
    case none
  }

  private let connection: Connection
  private let now: () -> BootTime
  private var naming = Naming.unknown
  private var arrivals: [String: BootTime] = [:]
  private var subscription: Subscription?

  /// Starts the log, which records connections that appear from now on.
  init(_ connection: Connection, now: @escaping () -> BootTime = BootTime.now) {
    self.connection = connection
    self.now = now
    subscription = connection.subscribe(to: BusInterface.nameOwnerChanged, of: .bus) {
      [weak self] name, _, owner in self?.note(owner, of: name)
    }
    // The answer arrives after the bus has added the subscription.
    connection.call(
      BusInterface.getConnectionCredentials, at: BusInterface.path, of: .bus, timeout: nil,
      connection.uniqueName
    ) { [weak self] result in self?.learnNaming(try? result.get()) }
  }

  /// Returns the process that made a connection; nil if the bus does not identify the process.
  func process(of name: String, _ credentials: Credentials) -> CallerProcess? {
    if let handle = credentials.process { return .handle(handle) }
    // A bus that provides pidfds has none for a process that exited before the bus could open it.
    // So this process is unknown.
    guard case .numbers(let start) = naming, let number = credentials.processID else { return nil }
    return .number(number, latestStart: arrivals[name] ?? start)
  }

  /// Determines the naming from the credentials that the bus reports for this process.
  private func learnNaming(_ values: [String: Variant]?) {
    let own = values.map { Credentials($0) }
    if own?.process != nil {
      naming = .handles
    } else if own?.processID == getpid() {
      naming = .numbers(start: now())
      return
    } else {
      naming = .none
    }
    arrivals = [:]
    if let subscription { connection.unsubscribe(subscription) }
  }

  private func note(_ owner: String, of name: String) {
    guard name.utf8.first == UInt8(ascii: ":") else { return }
    arrivals[name] = owner.isEmpty ? nil : now()
  }
}
