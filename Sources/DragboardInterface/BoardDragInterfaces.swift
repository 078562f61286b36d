public import DBus

/// `org.dragboard.Dragboard1.DragSource`, of every board: its rows can be dragged.
public enum DragSourceInterface {
  /// The interface's name.
  public static let name: InterfaceName = "org.dragboard.Dragboard1.DragSource"
  /// Begins a drag of rows by their ids.
  public static let beginDrag = MethodDeclaration<
    Arguments<String, [String]>, Arguments<ObjectPath>
  >(name, "BeginDrag", in: "application", "items", out: "session")
  /// Begins a drag of the row at an index path.
  public static let beginRowDrag = MethodDeclaration<
    Arguments<String, UInt32, UInt32>, Arguments<ObjectPath>
  >(name, "BeginRowDrag", in: "application", "section", "row", out: "session")
}

/// `org.dragboard.Dragboard1.DropTarget`, of every board: a drag can be dropped on it.
public enum DropTargetInterface {
  /// The interface's name.
  public static let name: InterfaceName = "org.dragboard.Dragboard1.DropTarget"
  /// Whether a drop could be anything but forbidden for its types.
  public static let canHandle = MethodDeclaration<Arguments<ObjectPath>, Arguments<Bool>>(
    name, "CanHandle", in: "session", out: "can")
  /// What a drop there would do.
  public static let proposeDrop = MethodDeclaration<
    Arguments<ObjectPath, String, UInt32, Int32>, Arguments<String, String, UInt32, UInt32>
  >(
    name, "ProposeDrop", in: "session", "application", "section", "row",
    out: "operation", "intent", "destination_section", "destination_row")
  /// Tells that the drag has left the board.
  public static let exitDrop = MethodDeclaration<Arguments<ObjectPath, String>, Arguments<>>(
    name, "ExitDrop", in: "session", "application")
  /// Drops.
  public static let performDrop = MethodDeclaration<
    Arguments<ObjectPath, String, UInt32, Int32>, Arguments<String, [String]>
  >(
    name, "PerformDrop", in: "session", "application", "section", "row",
    out: "operation", "items")
  /// Tells of rows that are on their way.
  public static let dropPending = SignalDeclaration<
    Arguments<ObjectPath, UInt32, UInt32, UInt32, Double>
  >(name, "DropPending", "session", "count", "section", "row", "progress")
  /// Tells of a drop that copied or moved.
  public static let dropPerformed = SignalDeclaration<
    Arguments<ObjectPath, String, [String]>
  >(name, "DropPerformed", "session", "operation", "items")
}
