/// One object that peers can call, with its interfaces.
final class ExportedObject {
  let path: ObjectPath
  /// The object's own interfaces.
  let interfaces: [any BoundInterface]
  /// Whether the object manager above it tells of its coming and going.
  let isManaged: Bool
  /// Properties that have changed since the last PropertiesChanged: a few at most.
  private(set) var changes: [(interface: InterfaceName, property: PropertyDescription)] = []

  init(_ path: ObjectPath, _ interfaces: [any BoundInterface], isManaged: Bool) {
    self.path = path
    self.interfaces = interfaces
    self.isManaged = isManaged
  }

  /// Notes that a property has changed.
  func note(_ property: PropertyDescription, of interface: InterfaceName) {
    let isNoted = changes.contains {
      $0.property.name == property.name && $0.interface == interface
    }
    if !isNoted { changes.append((interface, property)) }
  }

  /// Takes what has changed.
  func takeChanges() -> [(interface: InterfaceName, property: PropertyDescription)] {
    defer { changes = [] }
    return changes
  }

  /// Appends all properties of all interfaces, `a{sa{sv}}`.
  func writeInterfaces(to writer: inout MessageWriter) {
    writer.entries { entries in
      for interface in interfaces {
        entries.structure { entry in
          interface.name.text.write(to: &entry)
          interface.writeProperties(to: &entry)
        }
      }
    }
  }
}

extension BoundInterface {
  /// Appends all properties, `a{sv}`.
  func writeProperties(to writer: inout MessageWriter) {
    write(properties, to: &writer)
  }

  /// Appends those properties, `a{sv}`.
  func write(_ properties: [PropertyDescription], to writer: inout MessageWriter) {
    writer.entries { write(properties, asEntriesTo: &$0) }
  }

  /// Appends those properties to a dictionary that is open.
  func write(_ properties: [PropertyDescription], asEntriesTo entries: inout MessageWriter) {
    for property in properties {
      entries.structure { entry in
        property.name.text.write(to: &entry)
        write(property.name.text, to: &entry)
      }
    }
  }
}
