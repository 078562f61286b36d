import DBus
import DragboardInterface
import DragboardRecovery
import DragboardService
import DragboardStore
import Glibc
import Logging

/// The process `dragboardd`, from its options to its exit code.
enum Daemon {
  /// How the process ends.
  enum Exit: Int32 {
    /// It was asked to, or its bus has ended.
    case done = 0
    /// It could not start, or a bus that goes on has closed the connection.
    case failed = 1
    /// Its options, variables or configuration file are not what they should be.
    case usage = 2
    /// Another daemon has the name or the data.
    case taken = 3
  }

  /// Runs until the daemon is told to leave or has lost its bus.
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
  /// How long a daemon is waited for whose place this one takes.
  private static let patience = Duration.seconds(30)

  private static func serve(_ configuration: Configuration, isActivated: Bool) -> Exit {
    let log = Logger(label: "dragboardd") { _ in JournalLog() }
    do {
      let (loop, signals, connection) = try begin(configuration)
      // Whoever cannot serve leaves the other one alone: data that nobody has are opened before that one is asked to leave.
      let freeStore = configuration.replaces ? try freeStore(configuration, log) : nil
      if configuration.replaces {
        // From now on the other one leaves, and its clients' calls wait here.
        let outcome = try connection.requestName(Dragboard.busName, [.replaceable, .replacing])
        guard outcome == .owner else { return end(.taken, nameIsTaken) }
      }
      let store = try freeStore ?? openStore(configuration, log)
      report(store, log)
      let service = Service(
        on: connection, repository: store, limits: configuration.limits,
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
        store.noteLeaving($0)
      } onEnd: {
        loop.stop()
      }
      guard try service.start() else { return end(.taken, nameIsTaken) }
      log.info("dragboardd \(Dragboard.version) serves \(configuration.dataDirectory)")
      loop.run()
      service.stop()
      store.conclude()
      guard hasLostBus, BusCheck.answers(configuration.address) else { return .done }
      return end(.failed, "the bus has closed the connection, and goes on")
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
    // Whoever reads the log, or the other end of a pipe, may leave.
    signal(SIGPIPE, SIG_IGN)
    // A limit of the size of files is an error like that of a full disk.
    signal(SIGXFSZ, SIG_IGN)
    raiseDescriptorLimit()
    let loop = try EventLoop()
    let signals = try SignalWatch(on: loop)
    return (loop, signals, try Connection(to: configuration.address, on: loop))
  }

  private static func openStore(
    _ configuration: Configuration, _ log: Logger, patience: Duration? = nil
  ) throws(StoreError) -> BoardStore {
    try BoardStore.open(
      in: configuration.dataDirectory,
      patience: patience ?? (configuration.replaces ? Self.patience : .zero)
    ) { event in
      log.log(level: event.level, "\(event)")
    }
  }

  /// The store, unless somebody has it.
  private static func freeStore(
    _ configuration: Configuration, _ log: Logger
  ) throws(StoreError) -> BoardStore? {
    do throws(StoreError) { return try openStore(configuration, log, patience: .zero) } catch {
      guard case .inUse = error else { throw error }
      return nil
    }
  }

  /// Says what has become of damage, and when there is some.
  private static func report(_ store: BoardStore, _ log: Logger) {
    if let recovery = store.recovery { log.error("\(recovery)") }
    store.onDamage = { damage in
      log.critical(
        "the database is damaged: \(damage); restart the daemon: what can be read is recovered then"
      )
    }
  }

  /// Files that clients drag, and pipes of promises, take descriptors: as many as the system lets the process have, within reason.
  ///
  /// Where that is refused, fewer files are kept open and more are copied. Each process that is looked at takes some, too.
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

  /// Says why it ends.
  private static func end(_ exit: Exit, _ message: String) -> Exit {
    StandardError.writeLine("dragboardd: \(message)")
    return exit
  }
}

extension StoreEvent {
  /// How much it matters.
  fileprivate var level: Logger.Level {
    switch self {
    case .narrowed: .notice
    case .lostContent, .rebuiltIndex: .error
    }
  }
}
