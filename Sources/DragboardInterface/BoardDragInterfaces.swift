public import DBus

/// The interface `org.dragboard.Dragboard1.DragSource` of every board, which begins drags of its
/// rows.
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

/// The interface `org.dragboard.Dragboard1.DropTarget` of every board, which receives drops.
public enum DropTargetInterface {
  /// The interface's name.
  public static let name: InterfaceName = "org.dragboard.Dragboard1.DropTarget"
  /// Returns whether the drag has rows of the board, or a type that the board accepts.
  public static let canHandle = MethodDeclaration<Arguments<ObjectPath>, Arguments<Bool>>(
    name, "CanHandle", in: "session", out: "can")
  /// Returns the effect that a drop at a position would have.
  public static let proposeDrop = MethodDeclaration<
    Arguments<ObjectPath, String, UInt32, Int32>, Arguments<String, String, UInt32, UInt32>
  >(
    name, "ProposeDrop", in: "session", "application", "section", "row",
    out: "operation", "intent", "destination_section", "destination_row")
  /// Reports that the drag has left the board.
  public static let exitDrop = MethodDeclaration<Arguments<ObjectPath, String>, Arguments<>>(
    name, "ExitDrop", in: "session", "application")
  /// Drops the drag on the board, and ends the session.
  public static let performDrop = MethodDeclaration<
    Arguments<ObjectPath, String, UInt32, Int32>, Arguments<String, [String]>
  >(
    name, "PerformDrop", in: "session", "application", "section", "row",
    out: "operation", "items")
  /// Reports the number and the position of rows that a waiting drop will insert.
  public static let dropPending = SignalDeclaration<
    Arguments<ObjectPath, UInt32, UInt32, UInt32, Double>
  >(name, "DropPending", "session", "count", "section", "row", "progress")
  /// Reports a drop that copied or moved rows.
  public static let dropPerformed = SignalDeclaration<
    Arguments<ObjectPath, String, [String]>
  >(name, "DropPerformed", "session", "operation", "items")
}
