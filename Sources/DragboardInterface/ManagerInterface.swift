public import DBus

/// `org.dragboard.Dragboard1.Manager`, of the root object.
public enum ManagerInterface {
  /// The interface's name.
  public static let name: InterfaceName = "org.dragboard.Dragboard1.Manager"

  /// A deleted board on the wire: its name, number of rows, and time of deletion in microseconds
  /// since 1970, UTC.
  public typealias DeletedBoard = Structure<String, UInt32, UInt64>

  /// Opens a session without items.
  public static let beginDrag = MethodDeclaration<Arguments<String>, Arguments<ObjectPath>>(
    name, "BeginDrag", in: "application", out: "session")
  /// Opens a session with one plain-text item for each text.
  public static let beginTextDrag = MethodDeclaration<
    Arguments<String, [String]>, Arguments<ObjectPath>
  >(name, "BeginTextDrag", in: "application", "texts", out: "session")
  /// Makes a board.
  public static let createBoard = MethodDeclaration<Arguments<String>, Arguments<ObjectPath>>(
    name, "CreateBoard", in: "name", out: "board")
  /// Finds a board by its name.
  public static let getBoard = MethodDeclaration<Arguments<String>, Arguments<ObjectPath>>(
    name, "GetBoard", in: "name", out: "board")
  /// Gives a board another name; its path stays.
  public static let renameBoard = MethodDeclaration<Arguments<String, String>, Arguments<>>(
    name, "RenameBoard", in: "name", "new_name")
  /// Deletes a board with all its rows; `RestoreBoard` restores it.
  public static let deleteBoard = MethodDeclaration<Arguments<String>, Arguments<>>(
    name, "DeleteBoard", in: "name")
  /// Restores the latest deleted board of a name.
  public static let restoreBoard = MethodDeclaration<Arguments<String>, Arguments<ObjectPath>>(
    name, "RestoreBoard", in: "name", out: "board")
  /// The deleted boards that can be restored, the latest first.
  public static let getDeletedBoards = MethodDeclaration<Arguments<>, Arguments<[DeletedBoard]>>(
    name, "GetDeletedBoards", out: "boards")

  /// The daemon's version.
  public static let version = PropertyDeclaration<String>(name, "Version", changes: .never)
  /// The limits of the daemon, by ``LimitName``.
  public static let limits = PropertyDeclaration<[String: UInt64]>(
    name, "Limits", changes: .never)
  /// Every board.
  public static let boards = PropertyDeclaration<[ObjectPath]>(name, "Boards")
  /// The sessions that have not ended, oldest first.
  public static let sessions = PropertyDeclaration<[ObjectPath]>(name, "Sessions")
  /// Whether there is a session that has not ended.
  public static let dragging = PropertyDeclaration<Bool>(name, "Dragging")

  /// Tells that a drag has begun.
  public static let dragBegan = SignalDeclaration<Arguments<ObjectPath, String>>(
    name, "DragBegan", "session", "application")
  /// Tells that a drag has ended, with "copy", "move" or "cancel"; one for every DragBegan.
  public static let dragEnded = SignalDeclaration<Arguments<ObjectPath, String, String>>(
    name, "DragEnded", "session", "application", "operation")
}
