import DBus
import DragboardInterface
import DragboardRecovery
import DragboardService
import DragboardStore
import Files
import Glibc
import Journal
import Logging

/// The process `dragboardd`, from its options to its exit code.
enum Daemon {
  enum Exit: Int32 {
    /// A signal or another daemon has ended the daemon, it was not used, or its bus has ended.
    case done = 0
    /// The daemon could not start, or a bus that is still running has closed the connection.
    case failed = 1
    /// An option, a variable or the configuration file is invalid.
    case usage = 2
    /// Another daemon has the name or the data.
    case taken = 3
  }

  /// Runs until the daemon must exit, and returns the exit code.
  static func run(arguments: [String]) -> Int32 {
    do throws(Configuration.Fault) {
      let environment = Environment()
      switch try Configuration.read(arguments: arguments, environment: environment) {
      case .help: return show(Configuration.help)
      case .version: return show("dragboardd \(Dragboard.version)\n")
      case .run(let configuration):
        return serve(configuration, isActivated: environment.isOfService).rawValue
      }
    } catch { return end(.usage, error.description).rawValue }
  }

  private static let nameIsTaken = "another process on this bus has the name \(Dragboard.busName)"
  /// The timeout for the exit of the daemon that this daemon replaces.
  private static let timeout = Duration.seconds(30)

  private static func serve(_ configuration: Configuration, isActivated: Bool) -> Exit {
    let log = Logger(of: "dragboardd")
    for fault in configuration.ignoredVariables {
      log.warning("\(fault); the variable is ignored")
    }
    do {
      let (loop, signals, connection) = try begin(configuration)
      // A daemon that cannot start must not stop the running daemon. So if no process uses the
      // data, they are opened before the running daemon is asked to exit.
      let freeStore = configuration.replaces ? try freeStore(configuration, log) : nil
      if configuration.replaces {
        // This makes the other daemon exit. From now on, calls of its clients wait in this process.
        let outcome = try connection.names.request(Dragboard.busName, [.replaceable, .replacing])
        guard outcome == .owner else { return end(.taken, nameIsTaken) }
      }
      let store = try freeStore ?? openStore(configuration, log)
      report(store, log)
      let service = Service(
        on: connection, store: store, limits: configuration.limits,
        sandboxedRead: configuration.sandboxedRead, log: log,
        now: { WallClock.microseconds })
      var hasLostBus = false
      connection.onDisconnect = {
        log.notice("the bus has closed the connection")
        hasLostBus = true
        loop.stop()
      }
      signals.onSignal = { service.leave() }
      service.prepareToLeave(isActivated: isActivated) {
        RunningProgram.own?.isReplaced ?? false
      } onLeaving: {
        store.noteLeaving($0)
      } onEnd: {
        loop.stop()
      }
      guard try service.start() else { return end(.taken, nameIsTaken) }
      log.info("dragboardd \(Dragboard.version) serves \(configuration.dataDirectory)")
      loop.run()
      service.stop()
      store.conclude()
      store.close()
      guard hasLostBus, BusCheck.answers(configuration.address) else { return .done }
      return end(.failed, "the bus has closed the connection, but is still running")
    } catch let error as StoreError {
      if case .inUse = error { return end(.taken, error.description) }
      return end(.failed, error.description)
    } catch {
      return end(.failed, "\(error)")
    }
  }

  /// Starts a loop, watches the signals that end it, and connects to the bus.
  private static func begin(
    _ configuration: Configuration
  ) throws -> (EventLoop, SignalWatch, Connection) {
    // The reader of the log or of a pipe may exit. Without this, a later write would end the
    // daemon.
    signal(SIGPIPE, SIG_IGN)
    // A write beyond a file size limit must fail with an error, as on a full disk, and not end the
    // daemon.
    signal(SIGXFSZ, SIG_IGN)
    raiseDescriptorLimit()
    let loop = try EventLoop()
    let signals = try SignalWatch(on: loop)
    return (loop, signals, try Connection(to: configuration.address, on: loop))
  }

  private static func openStore(
    _ configuration: Configuration, _ log: Logger, timeout: Duration? = nil
  ) throws(StoreError) -> BoardStore {
    try BoardStore.open(
      in: configuration.dataDirectory,
      timeout: timeout ?? (configuration.replaces ? Self.timeout : .zero)
    ) { event in
      log.log(level: event.level, "\(event)")
    }
  }

  /// Opens the store, unless another process has it.
  private static func freeStore(
    _ configuration: Configuration, _ log: Logger
  ) throws(StoreError) -> BoardStore? {
    do throws(StoreError) { return try openStore(configuration, log, timeout: .zero) } catch {
      guard case .inUse = error else { throw error }
      return nil
    }
  }

  private static func report(_ store: BoardStore, _ log: Logger) {
    if let recovery = store.recovery { log.error("\(recovery)") }
    store.onDamage = { damage in
      log.critical(
        "the database is damaged: \(damage) (restart the daemon to recover the readable data)"
      )
    }
  }

  /// Raises the limit of open descriptors to 65,536, or to the system's maximum if it is lower.
  ///
  /// Files of clients, the pipes of promises and the inspection of processes need descriptors.
  ///
  /// With a lower limit, fewer files of clients stay open, and more files are copied instead.
  private static func raiseDescriptorLimit() {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 65_536)
    _ = setrlimit(resource, &limit)
  }

  private static func show(_ text: String) -> Int32 {
    print(text, terminator: "")
    return Exit.done.rawValue
  }

  /// Reports the reason for the exit.
  private static func end(_ exit: Exit, _ message: String) -> Exit {
    StandardError.writeLine("dragboardd: \(message)")
    return exit
  }
}

extension StoreEvent {
  fileprivate var level: Logger.Level {
    switch self {
    case .narrowed: .notice
    case .hungOwner: .warning
    case .lostContent, .rebuiltIndex: .error
    }
  }
}
