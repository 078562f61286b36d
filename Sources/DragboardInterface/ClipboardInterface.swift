public import DBus

/// The interface `org.dragboard.Clipboard1` of the bridge between the clipboard and the board
/// "clipboard".
///
/// The bridge is a separate program of the desktop. The XML of its interface is
/// `Desktop/Sources/dragboard-clipboard/Interfaces/org.dragboard.Clipboard1.xml`.
public enum ClipboardInterface {
  /// The bridge's name on the bus.
  public static let busName: BusName = "org.dragboard.Clipboard1"
  /// The path of the bridge's object.
  public static let path: ObjectPath = "/org/dragboard/Clipboard1"
  /// The interface's name.
  public static let name: InterfaceName = "org.dragboard.Clipboard1"
  /// The name of the board that stores copies.
  public static let boardName = "clipboard"
  /// The name of the board that stores selected text.
  public static let selectionBoardName = "selections"
  /// The source of rows whose content came from the clipboard.
  ///
  /// Any program can own the clipboard. So this source is neither an application id nor a unique
  /// name, and gives no client rights on the row.
  public static let rowSource = "/clipboard"

  /// Copies a row to the clipboard.
  public static let copy = MethodDeclaration<Arguments<ObjectPath, String>, Arguments<>>(
    name, "Copy", in: "board", "item")
  /// Remembers the focused window, into which the next call of `Paste` pastes.
  public static let preparePaste = MethodDeclaration<Arguments<>, Arguments<>>(name, "PreparePaste")
  /// Copies a row to the clipboard, and pastes it into the remembered window.
  public static let paste = MethodDeclaration<
    Arguments<ObjectPath, String, [String: Variant]>, Arguments<String, String>
  >(name, "Paste", in: "board", "item", "options", out: "outcome", "reason")
  /// Lets the desktop ask the user for the permission to press keys.
  public static let allowPasting = MethodDeclaration<Arguments<>, Arguments<>>(name, "AllowPasting")
  /// Revokes the permission to press keys.
  public static let forbidPasting = MethodDeclaration<Arguments<>, Arguments<>>(
    name, "ForbidPasting")
  /// Stops storing copies for a number of seconds.
  public static let pause = MethodDeclaration<Arguments<UInt32>, Arguments<>>(
    name, "Pause", in: "seconds")
  /// Resumes storing copies.
  public static let resume = MethodDeclaration<Arguments<>, Arguments<>>(name, "Resume")
  /// Erases the rows of the board "clipboard".
  public static let clear = MethodDeclaration<Arguments<Bool>, Arguments<>>(
    name, "Clear", in: "pinned")

  /// The name of the system interface through which the bridge accesses the clipboard.
  public static let backend = PropertyDeclaration<String>(name, "Backend", changes: .never)
  /// Whether the bridge has stopped storing copies.
  public static let paused = PropertyDeclaration<Bool>(name, "Paused")
  /// Whether the bridge stores no copies while the screen is locked.
  public static let pausesWhileLocked = PropertyDeclaration<Bool>(
    name, "PausesWhileLocked", isWritable: true)
  /// Whether selected text becomes rows of the board "selections".
  public static let storesSelections = PropertyDeclaration<Bool>(
    name, "StoresSelections", isWritable: true)
  /// The programs whose copies are not stored.
  public static let excludedApplications = PropertyDeclaration<[String]>(
    name, "ExcludedApplications", isWritable: true, changes: .invalidates)
  /// The titles of the windows from which copies are not stored.
  public static let excludedWindows = PropertyDeclaration<[String]>(
    name, "ExcludedWindows", isWritable: true, changes: .invalidates)
  /// The means by which the bridge learns the application of a copy; "" if there is none.
  public static let applicationReports = PropertyDeclaration<String>(
    name, "ApplicationReports", changes: .silent)
  /// The applications that have copied or had the focus lately.
  public static let recentApplications = PropertyDeclaration<[String]>(
    name, "RecentApplications", changes: .silent)
  /// The means by which the bridge pastes; "" if there is none.
  public static let pasteMeans = PropertyDeclaration<String>(name, "PasteMeans", changes: .silent)
  /// Whether the desktop requires a permission to paste: `not-needed`, `missing` or `granted`.
  public static let pastePermission = PropertyDeclaration<String>(
    name, "PastePermission", changes: .silent)
  /// The types that prevent a copy from being stored.
  public static let excludedTypes = PropertyDeclaration<[String]>(
    name, "ExcludedTypes", isWritable: true, changes: .invalidates)
  /// The keys that paste in certain applications.
  public static let pasteKeys = PropertyDeclaration<[String]>(name, "PasteKeys", isWritable: true)
}
