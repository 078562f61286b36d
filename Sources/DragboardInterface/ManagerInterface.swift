public import DBus

/// The interface `org.dragboard.Dragboard1.Manager` of the root object.
public enum ManagerInterface {
  /// The interface's name.
  public static let name: InterfaceName = "org.dragboard.Dragboard1.Manager"

  /// A deleted board on the wire: its name, number of rows, and time of deletion in microseconds
  /// since 1970, UTC.
  public typealias DeletedBoard = Structure<String, UInt32, UInt64>

  /// Begins a drag session without items.
  public static let beginDrag = MethodDeclaration<Arguments<String>, Arguments<ObjectPath>>(
    name, "BeginDrag", in: "application", out: "session")
  /// Begins a drag session with one plain-text item for each text.
  public static let beginTextDrag = MethodDeclaration<
    Arguments<String, [String]>, Arguments<ObjectPath>
  >(name, "BeginTextDrag", in: "application", "texts", out: "session")
  /// Creates a board.
  public static let createBoard = MethodDeclaration<Arguments<String>, Arguments<ObjectPath>>(
    name, "CreateBoard", in: "name", out: "board")
  /// Finds a board by its name.
  public static let getBoard = MethodDeclaration<Arguments<String>, Arguments<ObjectPath>>(
    name, "GetBoard", in: "name", out: "board")
  /// Renames a board; its path does not change.
  public static let renameBoard = MethodDeclaration<Arguments<String, String>, Arguments<>>(
    name, "RenameBoard", in: "name", "new_name")
  /// Deletes a board with all its rows; `RestoreBoard` can restore it.
  public static let deleteBoard = MethodDeclaration<Arguments<String>, Arguments<>>(
    name, "DeleteBoard", in: "name")
  /// Deletes a board permanently; `base` is the revision of the board, or 0.
  public static let discardBoard = MethodDeclaration<Arguments<String, UInt64>, Arguments<>>(
    name, "DiscardBoard", in: "name", "base")
  /// Restores the deleted board with a name; if there are several, the latest one.
  public static let restoreBoard = MethodDeclaration<Arguments<String>, Arguments<ObjectPath>>(
    name, "RestoreBoard", in: "name", out: "board")
  /// Returns the deleted boards that can be restored, the latest first.
  public static let getDeletedBoards = MethodDeclaration<Arguments<>, Arguments<[DeletedBoard]>>(
    name, "GetDeletedBoards", out: "boards")

  /// The daemon's version.
  public static let version = PropertyDeclaration<String>(name, "Version", changes: .never)
  /// The limits of the daemon, by ``LimitName``.
  public static let limits = PropertyDeclaration<[String: UInt64]>(
    name, "Limits", changes: .never)
  /// The paths of all boards.
  public static let boards = PropertyDeclaration<[ObjectPath]>(name, "Boards")
  /// The paths of the sessions that have not ended, the oldest first.
  public static let sessions = PropertyDeclaration<[ObjectPath]>(name, "Sessions")
  /// Whether a session exists that has not ended.
  public static let dragging = PropertyDeclaration<Bool>(name, "Dragging")

  /// Reports that a drag has begun.
  public static let dragBegan = SignalDeclaration<Arguments<ObjectPath, String>>(
    name, "DragBegan", "session", "application")
  /// Reports that a drag has ended, with the result "copy", "move" or "cancel".
  ///
  /// Exactly one DragEnded follows each DragBegan.
  public static let dragEnded = SignalDeclaration<Arguments<ObjectPath, String, String>>(
    name, "DragEnded", "session", "application", "operation")
}
