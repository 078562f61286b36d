public import DBus

/// `org.dragboard.Dragboard1.Manager`, of the root object.
public enum ManagerInterface {
  /// The interface's name.
  public static let name: InterfaceName = "org.dragboard.Dragboard1.Manager"

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
  /// Deletes a board with every row it holds.
  public static let deleteBoard = MethodDeclaration<Arguments<String>, Arguments<>>(
    name, "DeleteBoard", in: "name")

  /// The daemon's version.
  public static let version = PropertyDeclaration<String>(name, "Version", changes: .never)
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
