public import DBus
import DragboardInterface
public import Foundation

/// A `dragboardd` on a private bus, with a separate home directory.
///
/// The daemon ends when the last reference is released. Its files are then removed.
public final class Daemon {
  /// The bus of the daemon.
  public let bus: PrivateBus
  private var process: ChildProcess
  /// The log lines that the daemon wrote before it served, at its latest start.
  public private(set) var said: [String]
  private let options: [String]
  private let wrapper: [String]

  /// Starts a bus and the daemon on it, and waits until the daemon has its name.
  ///
  /// - Throws: the reason if one of them does not start.
  public convenience init(_ options: String...) throws { try self.init(options) }

  /// Starts a bus and the daemon on it, with a list of options.
  ///
  /// - Parameters:
  /// - options: the arguments of the program.
  /// - environment: variables for the first start only.
  /// - bus: the bus; nil makes one.
  /// - wrapper: a command that executes the command after it, such as `unshare --mount`.
  /// - Throws: the reason if the bus or the daemon does not start.
  public init(
    _ options: [String], environment: [String: String] = [:], on bus: PrivateBus? = nil,
    by wrapper: [String] = []
  ) throws {
    self.bus = try bus ?? PrivateBus()
    self.options = options
    self.wrapper = wrapper
    (process, said) = try Self.start(on: self.bus, wrapper, options, environment)
  }

  deinit { kill() }

  private static func start(
    on bus: PrivateBus, _ wrapper: [String], _ options: [String], _ environment: [String: String]
  ) throws -> (ChildProcess, said: [String]) {
    let command = wrapper + [try builtProduct("dragboardd")] + options
    let process = try ChildProcess(
      command[0], Array(command.dropFirst()),
      environment: bus.environment.merging(environment) { $1 })
    var said: [String] = []
    while let line = process.nextLine(of: .errors) {
      if line.contains("serves") { return (process, said) }
      said.append(line)
    }
    process.kill(SIGKILL)
    process.waitForExit()
    throw PrivateBus.StartFailure(words: said.joined(separator: "\n"))
  }

  /// Waits for the next line of the daemon's log; nil if the daemon has ended.
  public func nextLogLine() -> String? { process.nextLine(of: .errors) }

  /// A description of the daemon's state for a message: running, or how it ended with its last log
  /// lines.
  public var state: String {
    guard let status = process.status else { return "it runs" }
    var words: [String] = []
    while let line = nextLogLine() { words.append(line) }
    return (["\(status)"] + words.suffix(200)).joined(separator: "\n")
  }

  /// The daemon's process id.
  public var id: pid_t { process.id }

  /// Returns a memory value of `/proc/PID/status`, such as `VmRSS`; 0 if the line is missing.
  public func kibibytes(_ name: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line.flatMap { Int($0.split(separator: " ").dropLast().last ?? "") } ?? 0
  }

  /// Sends a signal to the daemon; SIGSTOP and SIGCONT pause it.
  public func signal(_ number: Int32) { process.kill(number) }

  /// Kills the daemon like a crash, and waits for its end.
  public func kill() {
    process.kill(SIGKILL)
    process.waitForExit()
  }

  /// Sends SIGTERM to the daemon, and returns how it ended.
  public func terminate() -> ProcessStatus {
    process.kill(SIGTERM)
    return process.waitForExit()
  }

  /// Waits until the daemon has ended, and returns how it ended.
  @discardableResult
  public func waitForExit() -> ProcessStatus { process.waitForExit() }

  /// Starts the daemon again with the same data.
  ///
  /// - Parameter environment: variables for this start.
  /// - Throws: the reason if it does not start.
  public func start(environment: [String: String] = [:]) throws {
    (process, said) = try Self.start(on: bus, wrapper, options, environment)
  }

  /// Returns a new client.
  ///
  /// - Throws: the error of the bus.
  public func client() throws -> BusClient { try BusClient(to: bus.address) }

  /// Runs a command with the bus in its environment.
  ///
  /// - Throws: the reason if it does not start.
  public func run(_ command: String, _ arguments: [String]) throws -> CommandResult {
    try TestSupport.run(command, arguments, environment: bus.environment)
  }
}

/// A client whose calls wait for their answers; only one thread at a time may use it.
public final class BusClient {
  /// The connection, for calls without a shorthand.
  public let connection: Connection
  private let loop: EventLoop
  /// The signals of the daemon that have arrived and were not taken yet.
  public private(set) var signals: [ReceivedSignal] = []

  /// A received signal.
  public struct ReceivedSignal: Sendable {
    /// The path of the object that sent the signal.
    public let path: String
    /// The interface of the signal.
    public let interface: String
    /// The name of the signal.
    public let member: String
    /// The message, for its arguments.
    public let message: Message
  }

  /// Connects, and subscribes to all signals below the daemon's root object.
  ///
  /// - Throws: the error of the bus.
  public init(to address: String) throws {
    loop = try EventLoop()
    connection = try Connection(to: address, on: loop)
    connection.subscribe(to: MatchRule(pathNamespace: Dragboard.root)) { [unowned self] signal in
      signals.append(
        ReceivedSignal(
          path: signal.path ?? "", interface: signal.interface ?? "", member: signal.member ?? "",
          message: signal))
    }
  }

  deinit { connection.close() }

  /// The connection's unique name.
  public var name: String { connection.uniqueName }

  /// Calls a method of the daemon and waits for the reply.
  ///
  /// - Throws: the error in the reply.
  public func call<each I: BusValue, each O: BusValue>(
    _ method: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
    at path: ObjectPath = BusClient.board, _ arguments: repeat each I
  ) throws(DBusError) -> (repeat each O) {
    let call = OutgoingMessage.call(
      method.description.name, of: method.interface, at: path, to: Dragboard.busName)
    call.append(repeat each arguments)
    return try wait(for: call).arguments(as: repeat (each O).self)
  }

  /// Reads a property.
  ///
  /// - Throws: the error in the reply.
  public func get<Value: BusValue>(
    _ property: PropertyDeclaration<Value>, at path: ObjectPath = BusClient.board
  ) throws(DBusError) -> Value {
    let call = OutgoingMessage.call(
      "Get", of: PropertiesInterface.name, at: path, to: Dragboard.busName)
    call.append(property.interface.text, property.description.name.text)
    return try wait(for: call).content(as: Value.self)
  }

  /// Sets a property.
  ///
  /// - Throws: the error in the reply.
  public func set<Value: BusValue>(
    _ property: PropertyDeclaration<Value>, to value: Variant, at path: ObjectPath = BusClient.board
  ) throws(DBusError) {
    let call = OutgoingMessage.call(
      "Set", of: PropertiesInterface.name, at: path, to: Dragboard.busName)
    call.append(property.interface.text, property.description.name.text, value)
    _ = try wait(for: call)
  }

  /// Sends calls without waiting between them, then waits for all answers; returns them in the
  /// order of the calls.
  public func answers(to calls: [OutgoingMessage]) -> [Result<Message, DBusError>] {
    var results = [Result<Message, DBusError>?](repeating: nil, count: calls.count)
    var missing = calls.count
    for (index, call) in calls.enumerated() {
      connection.send(call) { result in
        results[index] = result
        missing -= 1
      }
    }
    loop.wait { missing == 0 }
    return results.map { $0 ?? .failure(DBusError(.noReply, "none")) }
  }

  /// Sends a call and waits for the reply.
  ///
  /// - Throws: the error in the reply.
  @discardableResult
  public func wait(for call: OutgoingMessage) throws(DBusError) -> Message {
    try answers(to: [call])[0].get()
  }

  /// Waits for the next signal with this name; removes it and all earlier signals from `signals`.
  public func next(_ member: MemberName) -> ReceivedSignal {
    loop.wait { signals.contains { $0.member == member.text } }
    guard let index = signals.firstIndex(where: { $0.member == member.text }) else {
      fatalError("\(member): no such signal came")
    }
    defer { signals.removeFirst(index + 1) }
    return signals[index]
  }

  /// Takes every signal that the daemon has sent so far.
  public func takeSignals() -> [ReceivedSignal] {
    // The answer to this call arrives after all these signals.
    _ = try? wait(
      for: .call("Ping", of: PeerInterface.name, at: Dragboard.root, to: Dragboard.busName))
    defer { signals = [] }
    return signals
  }

  /// Takes every signal that has arrived, without waiting.
  public func takeReceived() -> [ReceivedSignal] {
    defer { signals = [] }
    return signals
  }

  /// Handles messages until `isDone` returns true, for at most five minutes.
  ///
  /// - Returns: whether `isDone` returned true.
  @discardableResult
  public func run(until isDone: () -> Bool) -> Bool { loop.wait(until: isDone) }

  /// Leaves the bus.
  public func leave() { connection.close() }

  /// The board "default".
  public static let board = Dragboard.boardPath("default")
}
