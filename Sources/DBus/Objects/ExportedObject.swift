/// One object that peers can call, with its interfaces.
final class ExportedObject {
  let path: ObjectPath
  /// The object's own interfaces.
  let interfaces: [any BoundInterface]
  /// Whether the object manager above it tells of its coming and going.
  let isManaged: Bool
  /// Properties that have changed since the last PropertiesChanged, by interface.
  var changes: [String: [PropertyDescription]] = [:]

  init(_ path: ObjectPath, _ interfaces: [any BoundInterface], isManaged: Bool) {
    self.path = path
    self.interfaces = interfaces
    self.isManaged = isManaged
  }

  /// Appends all properties of all interfaces, `a{sa{sv}}`.
  func writeInterfaces(to writer: inout MessageWriter) {
    writer.container(CDBusType.array, of: ObjectManagerInterface.Interfaces.entrySignature) {
      entries in
      for interface in interfaces {
        entries.container(CDBusType.dictionaryEntry) { entry in
          interface.description.name.text.write(to: &entry)
          interface.writeProperties(to: &entry)
        }
      }
    }
  }
}

extension BoundInterface {
  /// Appends all properties, `a{sv}`.
  func writeProperties(to writer: inout MessageWriter) {
    write(description.properties, to: &writer)
  }

  /// Appends those properties, `a{sv}`.
  func write(_ properties: [PropertyDescription], to writer: inout MessageWriter) {
    writer.container(CDBusType.array, of: [String: Variant].entrySignature) {
      write(properties, asEntriesTo: &$0)
    }
  }

  /// Appends those properties to a dictionary that is open.
  func write(_ properties: [PropertyDescription], asEntriesTo entries: inout MessageWriter) {
    for property in properties {
      entries.container(CDBusType.dictionaryEntry) { entry in
        property.name.text.write(to: &entry)
        write(property.name.text, to: &entry)
      }
    }
  }
}
