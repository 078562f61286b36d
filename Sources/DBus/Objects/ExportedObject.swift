/// An object that peers can call, with its interfaces.
final class ExportedObject {
  let path: ObjectPath
  /// The object's own interfaces.
  let interfaces: [ObjectInterface]
  /// Whether the object manager reports that the object is added or removed.
  let isManaged: Bool
  /// The indexes of the properties that have changed since the last PropertiesChanged.
  ///
  /// They are few.
  private var changes: [(interface: Int, property: Int)] = []

  init(_ path: ObjectPath, _ interfaces: [ObjectInterface], isManaged: Bool) {
    self.path = path
    self.interfaces = interfaces
    self.isManaged = isManaged
  }

  /// Records that a property has changed; ignores a property that the object does not have.
  ///
  /// - Returns: whether this is the object's first recorded change.
  func note(_ property: MemberName, of interface: InterfaceName) -> Bool {
    guard let place = interfaces.firstIndex(where: { $0.name == interface }),
      let index = interfaces[place].index(ofProperty: property.text)
    else { return false }
    let isFirst = changes.isEmpty
    if !changes.contains(where: { $0 == (place, index) }) { changes.append((place, index)) }
    return isFirst
  }

  /// Calls `body` for each interface with the indexes of its changed properties, and clears the
  /// changes.
  func takeChanges(_ body: (ObjectInterface, [Int]) -> Void) {
    let changes = self.changes
    self.changes = []
    for (place, interface) in interfaces.enumerated() {
      let changed = changes.compactMap { $0.interface == place ? $0.property : nil }
      if !changed.isEmpty { body(interface, changed) }
    }
  }

  /// Appends all properties of all interfaces, `a{sa{sv}}`.
  func writeInterfaces(to writer: inout MessageWriter) {
    writer.entries { entries in
      for interface in interfaces {
        entries.structure { entry in
          entry.append(interface.name.text)
          interface.writeProperties(to: &entry)
        }
      }
    }
  }
}
