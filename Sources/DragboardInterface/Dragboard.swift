public import DBus

/// The names by which Dragboard is known on the bus.
public enum Dragboard {
  /// The daemon's well-known name on the session bus.
  public static let busName: BusName = "org.dragboard.Dragboard1"
  /// The object that stands above all others: the manager.
  public static let root: ObjectPath = "/org/dragboard/Dragboard1"
  /// The version of daemon, command and libraries.
  public static let version = "0.1.0"
  /// The board that always exists.
  public static let defaultBoard = "default"

  /// The object of the board whose path element, escaped, is `element`.
  public static func boardPath(_ element: String) -> ObjectPath {
    ObjectPath(unchecked: "\(root.text)/board/\(element)")
  }

  /// The object of the drag session with that number.
  public static func sessionPath(_ number: UInt64) -> ObjectPath {
    ObjectPath(unchecked: "\(root.text)/session/\(number)")
  }

  /// The object of the view with that number.
  public static func viewPath(_ number: UInt64) -> ObjectPath {
    ObjectPath(unchecked: "\(root.text)/view/\(number)")
  }

  /// `text` as one element of an object path: letters and digits stand for themselves, every other byte of its UTF-8, and a digit
  /// that comes first, is `_` and two lower-case hexadecimal digits; the empty text is `_`.
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
        element += (byte < 16 ? "_0" : "_") + String(byte, radix: 16)
      }
    }
    return element
  }
}

/// The errors that are Dragboard's own.
extension ErrorName {
  private static func own(_ name: String) -> ErrorName {
    ErrorName(unchecked: "org.dragboard.Dragboard1.Error.\(name)")
  }
  /// No board has that name.
  public static let noSuchBoard = own("NoSuchBoard")
  /// A board has that name already.
  public static let boardExists = own("BoardExists")
  /// No session, or one that ended more than a minute ago.
  public static let noSuchSession = own("NoSuchSession")
  /// The session has ended, or is ending.
  public static let sessionEnded = own("SessionEnded")
  /// The board or session has no such item.
  public static let noSuchItem = own("NoSuchItem")
  /// The item has no representation that fits.
  public static let noSuchRepresentation = own("NoSuchRepresentation")
  /// The item has a representation of that type already.
  public static let duplicateRepresentation = own("DuplicateRepresentation")
  /// The row can be neither changed nor deleted.
  public static let notEditable = own("NotEditable")
  /// The row cannot be moved.
  public static let notMovable = own("NotMovable")
  /// None of what a drop asked for arrived.
  public static let loadFailed = own("LoadFailed")
  /// The board has moved on, or the revision is too long ago.
  public static let staleRevision = own("StaleRevision")
  /// There is nothing to take back.
  public static let nothingToUndo = own("NothingToUndo")
  /// There is nothing to make again.
  public static let nothingToRedo = own("NothingToRedo")
  /// The view is in edit mode.
  public static let editing = own("Editing")
}
