import DBus

/// The object that implements `Echo`, as any service would.
final class EchoObject {
  unowned let server: ObjectServer
  var calls: UInt32 = 0
  var level: UInt32 = 1
  var title = "echo"
  var secret = "hidden"
  var ticks: UInt64 = 0

  init(_ server: ObjectServer) { self.server = server }

  static var table: InterfaceTable<EchoObject, Call> {
    var table = InterfaceTable<EchoObject, Call>(Echo.interface)
    bindEchoes(&table)
    bindActions(&table)
    bindChildren(&table)
    bindProperties(&table)
    table.signal(Echo.said)
    return table
  }

  private static func bindEchoes(_ table: inout InterfaceTable<EchoObject, Call>) {
    func echo<Value: BusValue>(_ method: Echo.Same<Value>) {
      table.method(method) { (_, _, value: Value) throws(DBusError) in value }
    }
    echo(Echo.byte)
    echo(Echo.boolean)
    echo(Echo.int16)
    echo(Echo.uint16)
    echo(Echo.int32)
    echo(Echo.uint32)
    echo(Echo.int64)
    echo(Echo.uint64)
    echo(Echo.double)
    echo(Echo.string)
    echo(Echo.objectPath)
    echo(Echo.signature)
    echo(Echo.descriptor)
    echo(Echo.variant)
    echo(Echo.bytes)
    echo(Echo.booleans)
    echo(Echo.doubles)
    echo(Echo.strings)
    echo(Echo.variants)
    echo(Echo.names)
    echo(Echo.rows)
    echo(Echo.deep)
    echo(Echo.descriptors)
  }

  private static func bindActions(_ table: inout InterfaceTable<EchoObject, Call>) {
    table.method(Echo.nothing) { (echo, _) throws(DBusError) in echo.calls += 1 }
    table.method(Echo.sum) { (_, _, left, right) throws(DBusError) in (left &+ right, true) }
    table.method(Echo.fail) { (_, _, name, message) throws(DBusError) in
      throw DBusError(ErrorName(unchecked: name), message)
    }
    table.method(Echo.say) { (echo, _, text, times) throws(DBusError) in
      for number in 0..<times {
        echo.server.connection.emit(Echo.said, from: Echo.path, text, number)
      }
      return times
    }
    table.method(Echo.countCalls) { (echo, _) throws(DBusError) in echo.calls }
  }

  private static func bindChildren(_ table: inout InterfaceTable<EchoObject, Call>) {
    table.method(Echo.add) { (echo, _, name) throws(DBusError) in
      let path = ObjectPath(unchecked: "\(Echo.path)/child/\(name)")
      echo.server.export(path, [ObjectInterface(childTable, of: Child(name))])
      return path
    }
    table.method(Echo.remove) { (echo, _, name) throws(DBusError) in
      echo.server.withdraw(ObjectPath(unchecked: "\(Echo.path)/child/\(name)"))
    }
  }

  private static func bindProperties(_ table: inout InterfaceTable<EchoObject, Call>) {
    table.property(Echo.level, get: \.level) { (echo, _, level) throws(DBusError) in
      guard level <= 100 else { throw DBusError(.invalidArgs, "Level is 0 to 100") }
      echo.level = level
      echo.server.noteChange(of: Echo.level, at: Echo.path)
    }
    table.property(Echo.title, get: \.title) { (echo, _, title) throws(DBusError) in
      echo.title = title
      echo.server.noteChange(of: Echo.title, at: Echo.path)
    }
    table.property(Echo.secret, get: \.secret) { (echo, _, secret) throws(DBusError) in
      echo.secret = secret
      echo.server.noteChange(of: Echo.secret, at: Echo.path)
    }
    table.property(Echo.tags) { _ in ["a", "b"] }
    table.property(Echo.version) { _ in 7 }
    table.property(Echo.ticks, get: \.ticks)
    table.method(Echo.touch) { (echo, _) throws(DBusError) in echo.touch() }
  }

  /// Changes all properties, some of them twice.
  private func touch() {
    for title in ["half", "touched"] {
      self.title = title
      level += 1
      ticks += 1
      secret += "!"
      server.noteChange(of: Echo.title, at: Echo.path)
      server.noteChange(of: Echo.level, at: Echo.path)
      server.noteChange(of: Echo.ticks, at: Echo.path)
      server.noteChange(of: Echo.secret, at: Echo.path)
    }
  }

  private static var childTable: InterfaceTable<Child, Call> {
    var table = InterfaceTable<Child, Call>(Child.interface)
    table.property(Child.name) { $0.name }
    table.property(Child.size) { UInt32($0.name.utf8.count) }
    return table
  }
}
