import DBus
import DragboardInterface

extension DragboardConnection {
  /// How long the daemon may take over a call that waits for nobody else.
  static let patience: Duration? = .seconds(25)
  /// For a call that waits for promised data: the daemon itself says when it has waited enough.
  static let unlimited: Duration? = nil

  /// Calls a method of the daemon, from within the connection.
  func call<each I: BusValue, each O: BusValue>(
    _ method: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
    at path: ObjectPath, timeout: Duration? = patience, _ arguments: repeat each I
  ) async throws(DragboardError) -> (repeat each O) {
    do throws(DBusError) {
      return try await bus.call(
        method, at: path, of: Dragboard.busName, timeout: timeout, repeat each arguments)
    } catch { throw DragboardError(error, at: path) }
  }

  /// Calls a method of the daemon, from anywhere.
  func reply<each I: BusValue, each O: BusValue>(
    to method: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
    at path: ObjectPath, timeout: Duration? = patience, _ arguments: repeat each I
  ) async throws(DragboardError) -> Answer<repeat each O> {
    let values = try await call(method, at: path, timeout: timeout, repeat each arguments)
    return Answer(repeat each values)
  }

  /// Reads all properties of an interface.
  func properties(
    of interface: InterfaceName, at path: ObjectPath
  ) async throws(DragboardError) -> Properties {
    Properties(try await call(PropertiesInterface.getAll, at: path, interface.text))
  }

  func get<Value: BusValue>(
    _ property: PropertyDeclaration<Value>, at path: ObjectPath
  ) async throws(DragboardError) -> Value {
    do throws(DBusError) {
      return try await bus.get(property, at: path, of: Dragboard.busName)
    } catch { throw DragboardError(error, at: path) }
  }

  func set<Value: BusValue>(
    _ property: PropertyDeclaration<Value>, to value: Value, at path: ObjectPath
  ) async throws(DragboardError) {
    do throws(DBusError) {
      try await bus.set(property, to: value, at: path, of: Dragboard.busName)
    } catch { throw DragboardError(error, at: path) }
  }
}

/// What a call gave: a tuple of a pack is not taken for Sendable by itself.
struct Answer<each Output: BusValue>: Sendable {
  let values: (repeat each Output)

  init(_ values: repeat each Output) { self.values = (repeat each values) }
}
