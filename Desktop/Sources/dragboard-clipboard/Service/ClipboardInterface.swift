import DBus

/// `org.dragboard.Clipboard1`: the bridge between the clipboard and the board.
///
/// `Interfaces/org.dragboard.Clipboard1.xml` has the meaning of the members.
enum ClipboardInterface {
  static let busName: BusName = "org.dragboard.Clipboard1"
  static let path: ObjectPath = "/org/dragboard/Clipboard1"
  static let name: InterfaceName = "org.dragboard.Clipboard1"

  static let copy = MethodDeclaration<Arguments<ObjectPath, String>, Arguments<>>(
    name, "Copy", in: "board", "item")
  static let pause = MethodDeclaration<Arguments<UInt32>, Arguments<>>(
    name, "Pause", in: "seconds")
  static let resume = MethodDeclaration<Arguments<>, Arguments<>>(name, "Resume")
  static let clear = MethodDeclaration<Arguments<>, Arguments<>>(name, "Clear")

  static let backend = PropertyDeclaration<String>(name, "Backend", changes: .never)
  static let paused = PropertyDeclaration<Bool>(name, "Paused")
  static let excludedApplications = PropertyDeclaration<[String]>(
    name, "ExcludedApplications", isWritable: true)
  static let excludedTypes = PropertyDeclaration<[String]>(
    name, "ExcludedTypes", isWritable: true)
}
