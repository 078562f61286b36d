import ArgumentParser
import Dispatch
import DragboardClient
import Files
import Glibc
import LinkEngine
import LinkState
import Logging

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Exchange edits until the session ends; the systemd unit runs this.")

  static let remedy = "To start the link: systemctl --user enable --now dragboard-link"

  @Option(
    help: ArgumentHelp(
      "Time for which the server keeps a content that no row has any more.", valueName: "seconds"))
  var keepUnused: UInt32 = 86_400

  func run() throws {
    let store = ConfigurationStore.ofUser
    guard var configuration = try store.load() else { throw NotConfigured() }
    Heap.useOneArena()
    Self.limitMemory()
    // The parent process may have blocked the signals that end the service.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGHUP, SIGINT, SIGTERM] { sigaddset(&signals, signal) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    // `dragboard-link accept` signals a process that has the lock. Without the handler, the signal
    // would end the process.
    let updates = Self.updates()
    let lock = try ServiceLock(in: store)
    defer { withExtendedLifetime(lock) {} }
    let state = try store.openState(isService: true)
    guard !state.isPaused else { return }
    configuration = try Home(store: store, state: state).configuration(configuration)
    Self.watchConnections()
    let server = try NATSConnection(to: configuration.server)
    var isReplaced = false
    do {
      isReplaced = try DragboardConnection.run(isInterruptible: true) {
        [configuration] connection in
        let service = try LinkService(
          configuration, in: store, state, on: server, bus: connection,
          unusedAge: .seconds(keepUnused))
        return try await withThrowingTaskGroup(of: Bool.self) { group in
          group.addTask {
            try await service.run()
            return false
          }
          group.addTask { try await Self.waitForEnd(of: connection) }
          group.addTask {
            for await _ in updates { await service.updateBoards() }
            return false
          }
          defer { group.cancelAll() }
          return try await group.next() ?? false
        }
      }
    } catch is Interrupted {
    } catch let change as LinkService.NewHost {
      // The connection and all logs change, so the program starts again.
      if try store.follow(change.move, named: change.name), try store.loadRoute() == nil {
        try UserService.server.stop(in: store)
      }
      isReplaced = true
      linkLog.notice("the host of the group is \(change.name) now")
    }
    guard isReplaced, let program = RunningProgram.own else { return }
    try program.restart(Array(CommandLine.arguments.dropFirst()))
  }

  /// The maximum size of the memory of the process: two contents of maximum size, and the rest.
  ///
  /// A hostile server can announce a message of any size, for which libnats allocates memory before it
  /// has read the message; it has no limit of its own. An allocation above this limit fails. Then
  /// libnats closes the connection and connects again.
  private static let maxDataBytes: rlim_t = 768 << 20

  private static func limitMemory() {
    let resource = __rlimit_resource_t(RLIMIT_DATA.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_cur, maxDataBytes)
    // The systemd unit has the same limit, and does not allow this call.
    _ = setrlimit(resource, &limit)
  }

  /// The interval at which the attempts to connect are checked.
  private static let attemptInterval = Duration.seconds(5)

  /// Starts the program again if libnats never ends an attempt to connect to the server.
  ///
  /// The state on the disk is complete at any moment, as after a crash.
  private static func watchConnections() {
    Task.detached {
      while !NATSConnection.isStalled { try await Task.sleep(for: attemptInterval) }
      guard let program = RunningProgram.own else { return }
      linkLog.notice("an attempt to connect to the server does not end, so the link starts again")
      do { try program.restart(Array(CommandLine.arguments.dropFirst())) } catch {
        linkLog.error("the link cannot start again: \(error)")
      }
    }
  }

  /// The signals of `dragboard-link accept`.
  private static func updates() -> AsyncStream<Void> {
    signal(ServiceLock.updateSignal, SIG_IGN)
    nonisolated(unsafe) let source = DispatchSource.makeSignalSource(
      signal: ServiceLock.updateSignal)
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      source.setEventHandler { continuation.yield() }
      continuation.onTermination = { _ in source.cancel() }
      source.activate()
    }
  }

  /// Waits until the connection to the bus is lost, which means that the session has ended, or until
  /// the daemon leaves after another version of this program was installed.
  ///
  /// If the service did not exit at the end of the session, the service of the next session could not
  /// start. The daemon leaves for its own new version, when no drag and no view is open.
  ///
  /// - Returns: whether the new version must start.
  private static func waitForEnd(of connection: DragboardConnection) async throws -> Bool {
    for try await event in await connection.events() {
      if case .daemonLeft = event, RunningProgram.own?.isReplaced == true { return true }
    }
    return false
  }
}
