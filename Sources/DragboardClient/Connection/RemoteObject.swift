import DBus

/// A value that names an object of the daemon, and stores no state of the object.
protocol RemoteObject: Sendable {
  /// The connection over which the object is called.
  var connection: DragboardConnection { get }
  var objectPath: ObjectPath { get }
}

/// The generic functions are `@concurrent`, so that their callers return to their own actors.
///
/// Without `@concurrent`, Swift 6.3 omits this return in a release build, if the function is
/// specialized and the call is its last statement. Then the caller would continue on the
/// connection's thread.
extension RemoteObject {
  @concurrent func call<each I: BusValue, each O: BusValue>(
    _ method: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
    timeout: Duration? = DragboardConnection.timeout, _ arguments: repeat each I
  ) async throws(DragboardError) -> (repeat each O) {
    try await connection.reply(
      to: method, at: objectPath, timeout: timeout, repeat each arguments
    ).values
  }

  func properties(of interface: InterfaceName) async throws(DragboardError) -> Properties {
    try await connection.properties(of: interface, at: objectPath)
  }

  @concurrent func set<Value: BusValue>(
    _ property: PropertyDeclaration<Value>, to value: Value
  ) async throws(DragboardError) {
    try await connection.set(property, to: value, at: objectPath)
  }
}
