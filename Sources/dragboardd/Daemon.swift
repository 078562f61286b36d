import DBus
import DragboardInterface
import DragboardService
import DragboardStore
import Glibc
import Logging

/// The process `dragboardd`, from its options to its exit code.
enum Daemon {
  /// How the process ends.
  private enum Exit: Int32 {
    /// It was asked to, or its bus has gone.
    case done = 0
    /// It could not start.
    case failed = 1
    /// Its options, variables or configuration file are not what they should be.
    case usage = 2
    /// Another daemon has the name or the data.
    case taken = 3
  }

  /// Runs until the daemon is told to leave or its bus has gone.
  static func run(arguments: [String]) -> Int32 {
    do throws(Configuration.Fault) {
      switch try Configuration.read(arguments: arguments, environment: Environment()) {
      case .help: return show(Configuration.help)
      case .version: return show("dragboardd \(Dragboard.version)\n")
      case .run(let configuration): return serve(configuration).rawValue
      }
    } catch { return end(.usage, error.description).rawValue }
  }

  private static func serve(_ configuration: Configuration) -> Exit {
    let log = Logger(label: "dragboardd") { _ in JournalLog() }
    do {
      let loop = try EventLoop()
      let signals = try SignalWatch(on: loop)
      let connection = try Connection(to: configuration.address, on: loop)
      let store = try BoardStore(directory: configuration.dataDirectory)
      let service = Service(
        on: connection, repository: StoreRepository(store), limits: configuration.limits, log: log,
        now: microsecondsSince1970)
      connection.onDisconnect = {
        log.notice("the bus has closed the connection")
        loop.stop()
      }
      signals.onSignal = { loop.stop() }
      guard try service.start() else {
        return end(.taken, "another process on this bus has the name \(Dragboard.busName)")
      }
      log.info("dragboardd \(Dragboard.version) serves \(configuration.dataDirectory)")
      loop.run()
      service.stop()
      return .done
    } catch let error as StoreError {
      if case .inUse = error { return end(.taken, error.description) }
      return end(.failed, error.description)
    } catch let error as RepositoryError {
      return end(.failed, error.message)
    } catch {
      return end(.failed, "\(error)")
    }
  }

  private static func microsecondsSince1970() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
  }

  private static func show(_ text: String) -> Int32 {
    print(text, terminator: "")
    return Exit.done.rawValue
  }

  private static func end(_ exit: Exit, _ message: String) -> Exit {
    StandardError.write("dragboardd: \(message)\n")
    return exit
  }
}
