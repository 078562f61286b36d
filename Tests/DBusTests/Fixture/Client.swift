import DBus
import Foundation
import Testing

/// A client with its own loop, which is the actor's executor, and a log of events.
actor Client {
  nonisolated let connection: Connection
  private nonisolated let thread: LoopThread
  private(set) var log: [String] = []
  private var kept: [AnyObject] = []
  private var waiting: [CheckedContinuation<Void, Never>] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    connection.loop.asUnownedSerialExecutor()
  }

  init(to address: String) throws {
    var made: Connection?
    thread = try LoopThread { loop in made = try Connection(to: address, on: loop) }
    connection = try #require(made)
  }

  deinit { thread.stop() }

  /// Runs `body` on the client's loop.
  @discardableResult
  func run<Result: Sendable>(
    _ body: @Sendable (isolated Client) async throws -> Result
  ) async rethrows -> Result {
    try await body(self)
  }

  /// Retains an object as long as this client exists.
  func keep(_ object: sending AnyObject) { kept.append(object) }

  // MARK: The log

  func note(_ line: String) {
    log.append(line)
    wakeAll()
  }

  /// Waits until the log has `count` lines, for at most a minute, and returns the log.
  func logged(_ count: Int) async -> [String] {
    let deadline = ContinuousClock.now + .seconds(60)
    let timer = connection.loop.schedule(after: .seconds(60)) { [weak self] in
      self?.assumeIsolated { $0.wakeAll() }
    }
    defer { connection.loop.cancel(timer) }
    while log.count < count, ContinuousClock.now < deadline {
      await withCheckedContinuation { waiting.append($0) }
    }
    #expect(log.count >= count)
    return log
  }

  private func wakeAll() {
    let woken = waiting
    waiting = []
    for continuation in woken { continuation.resume() }
  }

  // MARK: Calls

  /// Calls a method of the echo object that returns nothing.
  func call<each I: BusValue>(
    _ method: MethodDeclaration<Arguments<repeat each I>, Arguments<>>,
    at path: ObjectPath = Echo.path, of destination: BusName = Echo.busName,
    timeout: Duration? = nil, _ arguments: repeat each I
  ) async throws(DBusError) {
    try await connection.call(
      method, at: path, of: destination, timeout: timeout, repeat each arguments)
  }

  /// Calls a method of the echo object that returns one value.
  func call<each I: BusValue, O: BusValue>(
    _ method: MethodDeclaration<Arguments<repeat each I>, Arguments<O>>,
    at path: ObjectPath = Echo.path, of destination: BusName = Echo.busName,
    timeout: Duration? = nil, _ arguments: repeat each I
  ) async throws(DBusError) -> O {
    try await connection.call(
      method, at: path, of: destination, timeout: timeout, repeat each arguments)
  }

  /// Reads a property of the echo object.
  func get<Value: BusValue>(_ property: PropertyDeclaration<Value>) async throws(DBusError) -> Value
  {
    try await connection.get(property, at: Echo.path, of: Echo.busName)
  }

  /// Sets a property of the echo object.
  func set<Value: BusValue>(
    _ property: PropertyDeclaration<Value>, to value: Value
  ) async throws(DBusError) {
    try await connection.set(property, to: value, at: Echo.path, of: Echo.busName)
  }

  /// Sends a call without changing it; returns the reply or the error.
  func send(_ call: OutgoingMessage) async -> Result<Message, DBusError> {
    await withCheckedContinuation { continuation in
      connection.send(call) { continuation.resume(returning: $0) }
    }
  }

  /// Returns the error of a call that is sent without changes; nil if it succeeds.
  func refusal(of call: OutgoingMessage) async -> DBusError? {
    switch await send(call) {
    case .success: nil
    case .failure(let error): error
    }
  }

  // MARK: Signals

  /// Logs every signal that matches the rule: its name, and its arguments as `words` formats them.
  @discardableResult
  func follow(_ rule: MatchRule, _ words: @escaping (Message) -> String) -> Subscription {
    connection.subscribe(to: rule) { [weak self] signal in
      let line = words(signal)
      self?.assumeIsolated { $0.note(line) }
    }
  }
}
