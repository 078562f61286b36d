public import DBus

/// `org.dragboard.Clipboard1`: the bridge between the clipboard and the board "clipboard".
///
/// The bridge is a program of the desktop, and not of the daemon: its interface is in
/// `Desktop/Sources/dragboard-clipboard/Interfaces/org.dragboard.Clipboard1.xml`.
public enum ClipboardInterface {
  /// The bridge's name on the bus.
  public static let busName: BusName = "org.dragboard.Clipboard1"
  /// The bridge's object.
  public static let path: ObjectPath = "/org/dragboard/Clipboard1"
  /// The interface's name.
  public static let name: InterfaceName = "org.dragboard.Clipboard1"
  /// The name of the board of copies.
  public static let boardName = "clipboard"

  /// Makes a row the clipboard.
  public static let copy = MethodDeclaration<Arguments<ObjectPath, String>, Arguments<>>(
    name, "Copy", in: "board", "item")
  /// Stores no copies for a time.
  public static let pause = MethodDeclaration<Arguments<UInt32>, Arguments<>>(
    name, "Pause", in: "seconds")
  /// Stores copies again.
  public static let resume = MethodDeclaration<Arguments<>, Arguments<>>(name, "Resume")
  /// Deletes the rows of the board.
  public static let clear = MethodDeclaration<Arguments<>, Arguments<>>(name, "Clear")

  /// The way to the clipboard.
  public static let backend = PropertyDeclaration<String>(name, "Backend", changes: .never)
  /// Whether copies are not stored at present.
  public static let paused = PropertyDeclaration<Bool>(name, "Paused")
  /// The programs whose copies are not stored.
  public static let excludedApplications = PropertyDeclaration<[String]>(
    name, "ExcludedApplications", isWritable: true)
  /// The types that keep a copy from being stored.
  public static let excludedTypes = PropertyDeclaration<[String]>(
    name, "ExcludedTypes", isWritable: true)
}
