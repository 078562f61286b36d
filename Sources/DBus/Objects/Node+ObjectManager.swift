extension Node {
  /// `org.freedesktop.DBus.ObjectManager` of the node, over every managed object.
  static var objectManager: InterfaceTable<Node, Call> {
    var table = InterfaceTable<Node, Call>(ObjectManagerInterface.name)
    table.answer(ObjectManagerInterface.getManagedObjects) { (node, call) throws(DBusError) in
      call.answer(ObjectManagerInterface.getManagedObjects.description.outputSignature) { writer in
        node.server.writeManagedObjects(to: &writer)
      }
    }
    table.signal(ObjectManagerInterface.added)
    table.signal(ObjectManagerInterface.removed)
    return table
  }
}

extension ObjectServer {
  /// Appends every managed object, `a{oa{sa{sv}}}`.
  ///
  /// O(objects × properties).
  fileprivate func writeManagedObjects(to writer: inout MessageWriter) {
    writer.entries { entries in
      for object in objects.values where object.isManaged && !entries.isTooLarge {
        entries.structure { entry in
          object.path.write(to: &entry)
          object.writeInterfaces(to: &entry)
        }
      }
    }
  }

  func emitAdded(_ object: ExportedObject) {
    emit(ObjectManagerInterface.added) { writer in
      object.path.write(to: &writer)
      object.writeInterfaces(to: &writer)
    }
  }

  func emitRemoved(_ object: ExportedObject) {
    emit(ObjectManagerInterface.removed) { writer in
      object.path.write(to: &writer)
      object.interfaces.map(\.name.text).write(to: &writer)
    }
  }

  private func emit<Content>(
    _ signal: SignalDeclaration<Content>, _ body: (inout MessageWriter) -> Void
  ) {
    if let managedRoot { sink.emit(signal, from: managedRoot, body) }
  }
}
