import DBus
import DragboardInterface

extension DragboardConnection {
  /// The timeout of a call that does not wait for promised data.
  static var timeout: Duration? { hasTimeouts ? .seconds(25) : nil }
  /// The timeout of a call that waits for promised data: none, because the daemon limits that wait.
  static let unlimited: Duration? = nil

  @TaskLocal private static var hasTimeouts = true

  /// Runs `body`, whose method calls wait for a daemon that does not reply, without a timeout.
  ///
  /// By default, a call fails with `noReply` after 25 seconds, although the daemon may still perform
  /// it later. The calls of `body` also fail if the daemon leaves the bus or the task is cancelled.
  ///
  /// - Parameter body: the calls. Tasks that it creates with `Task.init` have no timeouts, either.
  /// - Returns: the result of `body`.
  public nonisolated static func withoutTimeouts<Result>(
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await $hasTimeouts.withValue(false, operation: body)
  }

  func call<each I: BusValue, each O: BusValue>(
    _ method: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
    at path: ObjectPath, of name: BusName = Dragboard.busName,
    timeout: Duration? = timeout, _ arguments: repeat each I
  ) async throws(DragboardError) -> (repeat each O) {
    do throws(DBusError) {
      return try await bus.call(
        method, at: path, of: name, timeout: timeout, repeat each arguments)
    } catch { throw DragboardError(error, at: path) }
  }

  /// Calls a method of the daemon.
  ///
  /// Callers need not be on the actor.
  func reply<each I: BusValue, each O: BusValue>(
    to method: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
    at path: ObjectPath, of name: BusName = Dragboard.busName,
    timeout: Duration? = timeout, _ arguments: repeat each I
  ) async throws(DragboardError) -> Answer<repeat each O> {
    let values = try await call(
      method, at: path, of: name, timeout: timeout, repeat each arguments)
    return Answer(repeat each values)
  }

  func properties(
    of interface: InterfaceName, at path: ObjectPath, from name: BusName = Dragboard.busName
  ) async throws(DragboardError) -> Properties {
    Properties(try await call(PropertiesInterface.getAll, at: path, of: name, interface.text))
  }

  /// Reads the objects that have `interface`, with the properties of this interface.
  func objects(
    with interface: InterfaceName
  ) async throws(DragboardError) -> [(path: ObjectPath, properties: Properties)] {
    try await call(ObjectManagerInterface.getManagedObjects, at: Dragboard.root).compactMap {
      path, interfaces in interfaces[interface.text].map { (path, Properties($0)) }
    }
  }

  func get<Value: BusValue>(
    _ property: PropertyDeclaration<Value>, at path: ObjectPath
  ) async throws(DragboardError) -> Value {
    do throws(DBusError) {
      return try await bus.get(property, at: path, of: Dragboard.busName)
    } catch { throw DragboardError(error, at: path) }
  }

  func set<Value: BusValue>(
    _ property: PropertyDeclaration<Value>, to value: Value, at path: ObjectPath,
    of name: BusName = Dragboard.busName
  ) async throws(DragboardError) {
    do throws(DBusError) {
      try await bus.set(property, to: value, at: path, of: name)
    } catch { throw DragboardError(error, at: path) }
  }
}

/// The output of a call.
///
/// The type is needed because a tuple of a parameter pack is not Sendable.
struct Answer<each Output: BusValue>: Sendable {
  let values: (repeat each Output)

  init(_ values: repeat each Output) { self.values = (repeat each values) }
}
