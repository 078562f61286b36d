public import DBus
import DragboardInterface
public import Foundation

/// A `dragboardd` on a bus of its own, with a home of its own.
///
/// It ends with the last reference; nothing is left behind.
public final class Daemon {
  /// The bus it is on.
  public let bus: PrivateBus
  private var process: ChildProcess
  private let options: [String]

  /// Starts a bus and the daemon on it, and waits until it has its name.
  ///
  /// - Throws: what keeps either from starting.
  public init(_ options: String...) throws {
    bus = try PrivateBus()
    self.options = options
    process = try Self.start(on: bus, options)
  }

  deinit { kill() }

  private static func start(on bus: PrivateBus, _ options: [String]) throws -> ChildProcess {
    let process = try ChildProcess(
      try builtProduct("dragboardd"), options, environment: bus.environment)
    guard let line = process.nextLine(of: .errors), line.contains("serves") else {
      process.kill(SIGKILL)
      process.waitForExit()
      throw PrivateBus.StartFailure(words: process.text(of: .errors))
    }
    return process
  }

  /// The daemon's process id.
  public var id: pid_t { process.id }

  /// Kills the daemon as a crash would, and waits until it is gone.
  public func kill() {
    process.kill(SIGKILL)
    process.waitForExit()
  }

  /// Asks the daemon to leave, and gives how it ended.
  public func terminate() -> ProcessStatus {
    process.kill(SIGTERM)
    return process.waitForExit()
  }

  /// Starts the daemon again, on the same data.
  ///
  /// - Throws: what keeps it from starting.
  public func start() throws { process = try Self.start(on: bus, options) }

  /// A new client.
  ///
  /// - Throws: what the bus said.
  public func client() throws -> BusClient { try BusClient(to: bus.address) }

  /// Runs a command with the bus in its environment.
  ///
  /// - Throws: what keeps it from starting.
  public func run(_ command: String, _ arguments: [String]) throws -> CommandResult {
    try TestSupport.run(command, arguments, environment: bus.environment)
  }
}

/// A client that waits for every answer; confined to one thread at a time.
public final class BusClient {
  /// The connection, for what has no shorthand.
  public let connection: Connection
  private let loop: EventLoop
  /// Every signal of the daemon that has come and was not taken yet.
  public private(set) var signals: [ReceivedSignal] = []

  /// A signal as it came.
  public struct ReceivedSignal: Sendable {
    /// The object that sent it.
    public let path: String
    /// Its interface.
    public let interface: String
    /// Its name.
    public let member: String
    /// The message, for its arguments.
    public let message: Message
  }

  /// Connects, and listens to all signals below the daemon's root.
  ///
  /// - Throws: what the bus said.
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

  /// Calls a method of the daemon and waits for its answer.
  ///
  /// - Throws: what the daemon answered.
  public func call<each I: BusValue, each O: BusValue>(
    _ method: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
    at path: ObjectPath = BusClient.board, _ arguments: repeat each I
  ) throws(DBusError) -> (repeat each O) {
    let call = Message.call(
      method.description.name, of: method.interface, at: path, to: Dragboard.busName)
    call.append(repeat each arguments)
    return try wait(for: call).arguments(as: repeat (each O).self)
  }

  /// Reads a property.
  ///
  /// - Throws: what the daemon answered.
  public func get<Value: BusValue>(
    _ property: PropertyDeclaration<Value>, at path: ObjectPath = BusClient.board
  ) throws(DBusError) -> Value {
    let call = Message.call("GetAll", of: PropertiesInterface.name, at: path, to: Dragboard.busName)
    call.append(property.interface.text)
    let values = try wait(for: call).arguments(as: [String: Variant].self)
    guard let value = values[property.description.name.text] else {
      throw DBusError(.unknownProperty, "\(property.description.name)")
    }
    return try Self.unwrap(value)
  }

  /// Sets a property.
  ///
  /// - Throws: what the daemon answered.
  public func set<Value: BusValue>(
    _ property: PropertyDeclaration<Value>, to value: Variant, at path: ObjectPath = BusClient.board
  ) throws(DBusError) {
    let call = Message.call("Set", of: PropertiesInterface.name, at: path, to: Dragboard.busName)
    call.append(property.interface.text, property.description.name.text, value)
    _ = try wait(for: call)
  }

  /// Sends calls without waiting between them, then waits for all answers, in the order of the calls.
  public func answers(to calls: [Message]) -> [Result<Message, DBusError>] {
    var results = [Result<Message, DBusError>?](repeating: nil, count: calls.count)
    var missing = calls.count
    for (index, call) in calls.enumerated() {
      connection.send(call) { result in
        results[index] = result
        missing -= 1
      }
    }
    loop.run { missing == 0 }
    return results.map { $0 ?? .failure(DBusError(.noReply, "none")) }
  }

  /// Sends a call and waits for its answer.
  ///
  /// - Throws: what the daemon answered.
  @discardableResult
  public func wait(for call: Message) throws(DBusError) -> Message {
    try answers(to: [call])[0].get()
  }

  /// Waits for the next signal of that name and takes it, and all that came before it, from `signals`.
  public func next(_ member: MemberName) -> ReceivedSignal {
    loop.run { signals.contains { $0.member == member.text } }
    let index = signals.firstIndex { $0.member == member.text } ?? 0
    defer { signals.removeFirst(index + 1) }
    return signals[index]
  }

  /// Takes every signal that the daemon has sent so far.
  public func takeSignals() -> [ReceivedSignal] {
    // The answer comes behind them.
    _ = try? wait(
      for: .call("Ping", of: PeerInterface.name, at: Dragboard.root, to: Dragboard.busName))
    defer { signals = [] }
    return signals
  }

  /// Leaves the bus.
  public func leave() { connection.close() }

  /// The board "default".
  public static let board = Dragboard.boardPath("default")

  private static func unwrap<Value: BusValue>(_ variant: Variant) throws(DBusError) -> Value {
    let message = Message.call("Unwrap", of: nil, at: "/", to: nil)
    message.append(variant)
    return try message.content(as: Value.self)
  }
}
