import DBus
import Glibc

/// The times at which connections appeared on the bus.
///
/// A bus without `ProcessFD` names the process of a connection by its number only. If that process
/// exits and leaves its connection to another one, a later process can get the number. So a process
/// that started after the connection appeared did not make the connection.
///
/// A connection that is older than the log counts from the log's start. On a bus with `ProcessFD`
/// the log is empty, and the bus sends it no signals.
final class ArrivalLog {
  /// How the bus names processes.
  private enum Naming {
    /// The bus has not answered yet.
    case unknown
    /// By pidfds.
    case handles
    /// By the numbers that this process sees, too; connections older than the log count from
    /// `start`.
    case numbers(start: BootTime)
    /// By numbers of another PID namespace, or not at all.
    case none
  }

  private let connection: Connection
  private let now: () -> BootTime
  private var naming = Naming.unknown
  private var arrivals: [String: BootTime] = [:]
  private var subscription: Subscription?

  /// Starts the log: connections that appear from now on are in it.
  init(_ connection: Connection, now: @escaping () -> BootTime = BootTime.now) {
    self.connection = connection
    self.now = now
    subscription = connection.subscribe(to: BusInterface.nameOwnerChanged, of: .bus) {
      [weak self] name, _, owner in self?.note(owner, of: name)
    }
    // The bus answers after it has added the subscription.
    connection.call(
      BusInterface.getConnectionCredentials, at: BusInterface.path, of: .bus, timeout: nil,
      connection.uniqueName
    ) { [weak self] result in self?.learnNaming(try? result.get()) }
  }

  /// Returns the process that made a connection; nil if the bus does not identify it.
  func process(of name: String, _ credentials: Credentials) -> CallerProcess? {
    if let handle = credentials.process { return .handle(handle) }
    // A bus with pidfds has no pidfd if the process exited before the bus could open it.
    guard case .numbers(let start) = naming, let number = credentials.processID else { return nil }
    return .number(number, latestStart: arrivals[name] ?? start)
  }

  /// Reads the credentials of this process.
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
