import CDBus

/// The object path that a call addresses, with its standard interfaces.
final class Node {
  let server: ObjectServer
  let path: String

  init(_ path: String, of server: ObjectServer) { (self.path, self.server) = (path, server) }

  var object: ExportedObject? { server.objects[path] }

  /// Whether there is an object at the path or below it.
  var exists: Bool { object != nil || !children.isEmpty }

  /// The names of the path's child nodes, sorted.
  ///
  /// O(objects).
  var children: [String] {
    let prefix = path == "/" ? "/" : path + "/"
    let names = server.objects.keys.lazy.filter { $0.hasPrefix(prefix) && $0.count > prefix.count }
      .map { String($0.dropFirst(prefix.count).prefix { $0 != "/" }) }
    return Set(names).sorted()
  }

  /// The standard interfaces of the path.
  ///
  /// Every path has Peer. The path of an object, and every path above an object, has
  /// Introspectable. An object has Properties, and the root of the managed objects has
  /// ObjectManager.
  var interfaces: [ObjectInterface] {
    var tables = [server.tables.peer]
    if exists { tables.append(server.tables.introspectable) }
    if object != nil { tables.append(server.tables.properties) }
    if server.managedRoot?.text == path { tables.append(server.tables.objectManager) }
    return tables.map { ObjectInterface($0, of: self) }
  }

  static var peer: InterfaceTable<Node, Call> {
    var table = InterfaceTable<Node, Call>(PeerInterface.name)
    table.method(PeerInterface.ping) { (_, _) throws(DBusError) in }
    table.method(PeerInterface.getMachineID) { (_, _) throws(DBusError) -> String in
      let id = try LibraryError.check { dbus_try_get_local_machine_id($0) }
      defer { dbus_free(id) }
      return id.map { String(cString: $0) } ?? ""
    }
    return table
  }

  static var introspectable: InterfaceTable<Node, Call> {
    var table = InterfaceTable<Node, Call>(IntrospectableInterface.name)
    table.method(IntrospectableInterface.introspect) { (node, _) throws(DBusError) in
      Introspection.document(
        of: ((node.object?.interfaces ?? []) + node.interfaces).map(\.description),
        children: node.children)
    }
    return table
  }
}

/// The tables of the standard interfaces, created once for each server.
struct StandardTables {
  let peer = Node.peer
  let introspectable = Node.introspectable
  let properties = Node.properties
  let objectManager = Node.objectManager
}
