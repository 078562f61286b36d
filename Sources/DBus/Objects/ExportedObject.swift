/// One object that peers can call, with its interfaces.
final class ExportedObject {
  let path: ObjectPath
  /// The object's own interfaces.
  let interfaces: [BoundInterface]
  /// Whether the object manager above it tells of its coming and going.
  let isManaged: Bool
  /// Properties that have changed since the last PropertiesChanged, by their places: a few at most.
  private var changes: [(interface: Int, property: Int)] = []

  init(_ path: ObjectPath, _ interfaces: [BoundInterface], isManaged: Bool) {
    self.path = path
    self.interfaces = interfaces
    self.isManaged = isManaged
  }

  /// Notes that a property has changed; one that the object does not have is no error.
  ///
  /// - Returns: whether it is the first that has.
  func note(_ property: MemberName, of interface: InterfaceName) -> Bool {
    guard let place = interfaces.firstIndex(where: { $0.name == interface }),
      let index = interfaces[place].index(ofProperty: property.text)
    else { return false }
    let isFirst = changes.isEmpty
    if !changes.contains(where: { $0 == (place, index) }) { changes.append((place, index)) }
    return isFirst
  }

  /// Forgets what has changed, having shown each interface of which something has, and the places of its properties that have.
  func takeChanges(_ body: (BoundInterface, [Int]) -> Void) {
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
