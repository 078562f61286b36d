public import DBus
internal import Text

/// The names of Dragboard on the bus.
public enum Dragboard {
  /// The daemon's well-known name on the session bus.
  public static let busName: BusName = "org.dragboard.Dragboard1"
  /// The path of the root object, which is the manager.
  public static let root: ObjectPath = "/org/dragboard/Dragboard1"
  /// The version of the daemon, the command and the libraries.
  public static let version = "0.1.0"
  /// The name of the board that always exists.
  public static let defaultBoard = "default"

  /// Returns the path of a board; `element` is the last element of the path.
  public static func boardPath(_ element: String) -> ObjectPath {
    ObjectPath(unchecked: "\(root.text)/board/\(element)")
  }

  /// Returns the path of the drag session with a number.
  public static func sessionPath(_ number: UInt64) -> ObjectPath {
    ObjectPath(unchecked: "\(root.text)/session/\(number)")
  }

  /// Returns the path of the view with a number.
  public static func viewPath(_ number: UInt64) -> ObjectPath {
    ObjectPath(unchecked: "\(root.text)/view/\(number)")
  }

  /// Returns a text escaped as one element of an object path.
  ///
  /// ASCII letters and digits do not change, except a digit at the start. This digit and every
  /// other byte of UTF-8 become `_` and two lower-case hexadecimal digits. The empty text becomes
  /// `_`.
  ///
  /// The corresponding C function is `sd_bus_path_encode`.
  public static func pathElement(_ text: String) -> String {
    guard !text.isEmpty else { return "_" }
    var element = ""
    for (index, byte) in text.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
        element.unicodeScalars.append(UnicodeScalar(byte))
      case UInt8(ascii: "0")...UInt8(ascii: "9") where index > 0:
        element.unicodeScalars.append(UnicodeScalar(byte))
      default:
        element += "_" + Hexadecimal.digits(of: byte)
      }
    }
    return element
  }
}

/// The errors that Dragboard defines.
extension ErrorName {
  private static func own(_ name: String) -> ErrorName {
    ErrorName(unchecked: "org.dragboard.Dragboard1.Error.\(name)")
  }
  /// No board has that name.
  public static let noSuchBoard = own("NoSuchBoard")
  /// A board has that name already.
  public static let boardExists = own("BoardExists")
  /// The session does not exist, or it ended more than a minute ago.
  public static let noSuchSession = own("NoSuchSession")
  /// The session has ended, or is ending.
  public static let sessionEnded = own("SessionEnded")
  /// The board or session has no such item.
  public static let noSuchItem = own("NoSuchItem")
  /// The item has no representation that conforms to the type.
  public static let noSuchRepresentation = own("NoSuchRepresentation")
  /// The item has a representation of that type already.
  public static let duplicateRepresentation = own("DuplicateRepresentation")
  /// The row can be neither changed nor deleted.
  public static let notEditable = own("NotEditable")
  /// The row cannot be moved.
  public static let notMovable = own("NotMovable")
  /// No requested item or representation arrived.
  public static let loadFailed = own("LoadFailed")
  /// The revision in the call is not the current revision, or the changes since it are no longer
  /// logged.
  public static let staleRevision = own("StaleRevision")
  /// The board has no edit to undo.
  public static let nothingToUndo = own("NothingToUndo")
  /// The board has no undone edit to redo.
  public static let nothingToRedo = own("NothingToRedo")
  /// The view is in edit mode.
  public static let editing = own("Editing")
}
