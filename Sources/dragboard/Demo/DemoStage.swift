import DragboardClient
import DragboardInterface

/// The bus, the daemon and the listener of a demonstration, in a private home.
///
/// All of them end when the last reference is released.
final class DemoStage {
  /// The match rules of the listener, for drags and for the owner of the daemon's name.
  static let rules = [
    "type='signal',interface='\(ManagerInterface.name)'",
    "type='signal',member='NameOwnerChanged',arg0='\(Dragboard.busName)'",
  ]

  /// The address that the bus printed.
  let address: String
  /// The address that the bus was started with.
  var busAddress: String { home.busAddress }
  /// The text that the daemon, the bus and the listener wrote to standard error.
  var log: String { home.logText }
  /// The daemon's process id; nil if it does not run.
  var daemonID: Int32? { daemon?.id }

  private let interruption: Interruption
  private let programs: Programs
  private let home: PrivateHome
  private let bus: ChildProcess
  private let listener: SignalListener
  private var daemon: ChildProcess?

  private struct Programs {
    let bus: String
    let send: String
    let monitor: String
    let daemon: String

    init() throws(Failure) {
      bus = try Program.find("dbus-daemon", package: "dbus-daemon")
      send = try Program.find("dbus-send", package: "dbus-bin")
      monitor = try Program.find("dbus-monitor", package: "dbus-bin")
      daemon = try Program.findSibling("dragboardd")
    }
  }

  /// Starts the bus and the listener.
  ///
  /// - Throws: `missing`, `unexpected`, `interrupted`, `late`, `system`.
  init() throws(Failure) {
    programs = try Programs()
    interruption = try Interruption()
    home = try PrivateHome()
    bus = try ChildProcess(
      programs.bus,
      ["--session", "--nofork", "--print-address", "--address=\(home.busAddress)"], in: home)
    var lines = LineReader(bus.output)
    guard let address = try lines.next("the address of dbus-daemon", interruption) else {
      throw .unexpected(what: "dbus-daemon", expected: "its address", actual: "end of output")
    }
    self.address = address
    listener = try SignalListener(programs.monitor, rules: Self.rules, in: home, interruption)
  }

  deinit { daemon?.kill() }

  // MARK: The daemon

  /// Starts the daemon, without waiting until it is on the bus.
  ///
  /// - Throws: `system`.
  func startDaemon() throws(Failure) {
    daemon = try ChildProcess(programs.daemon, [], in: home)
  }

  func killDaemon() {
    daemon?.kill()
    daemon = nil
  }

  // MARK: The bus

  /// Waits for the next signal.
  ///
  /// - Throws: `unexpected`, `interrupted`, `late`, `system`.
  func nextSignal(argumentCount: Int) throws(Failure) -> SeenSignal {
    try listener.next(argumentCount: argumentCount, from: daemon, interruption)
  }

  /// The indentation of a value that is not in a container.
  private static let indentation = 3

  /// Calls a method with dbus-send.
  ///
  /// - Returns: the output without its header, and the values of the reply.
  /// - Throws: `unexpected` if dbus-send fails, or its output cannot be parsed; `interrupted`,
  ///   `late`, `system`.
  func send(
    _ call: DBusSendCall
  ) throws(Failure) -> (output: [String], reply: [JSON]) {
    let process = try ChildProcess(programs.send, call.arguments, in: home, mergesErrors: true)
    var lines = LineReader(process.output)
    let output = try lines.rest("the reply to \(call.method)", interruption)
    guard process.wait() == 0, output.first?.hasPrefix("method return") == true else {
      throw .unexpected(
        what: call.method, expected: "a reply", actual: output.joined(separator: " "))
    }
    do throws(ReplyParser.Unreadable) {
      let body = output.dropFirst().map { String($0.dropFirst(Self.indentation)) }
      return (body, try ReplyParser.values(in: body))
    } catch {
      throw .unexpected(
        what: "the reply to \(call.method)", expected: "values", actual: "\(output)")
    }
  }

  /// Reads a board.
  ///
  /// - Throws: `unexpected` if the board cannot be read.
  func read(_ board: String) throws(Failure) -> BoardListing {
    do {
      return try DragboardConnection.run(to: home.busAddress) { dragboard in
        try await BoardListing(of: board, on: dragboard)
      }
    } catch {
      throw .unexpected(what: "the board", expected: "its rows", actual: "\(error)")
    }
  }
}
