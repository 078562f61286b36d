public import DBus

/// The interface `org.dragboard.Dragboard1.Views` of every board, which opens views.
public enum ViewsInterface {
  /// The interface's name.
  public static let name: InterfaceName = "org.dragboard.Dragboard1.Views"
  /// Opens a view of the board.
  public static let openView = MethodDeclaration<Arguments<String>, Arguments<ObjectPath>>(
    name, "OpenView", in: "application", out: "view")
}

/// The interface `org.dragboard.Dragboard1.View` of one client's edit mode and selection.
public enum ViewInterface {
  /// The interface's name.
  public static let name: InterfaceName = "org.dragboard.Dragboard1.View"

  /// Enters or leaves edit mode.
  public static let setEditing = MethodDeclaration<Arguments<Bool>, Arguments<>>(
    name, "SetEditing", in: "editing")
  /// Selects rows.
  public static let select = MethodDeclaration<Arguments<[String]>, Arguments<>>(
    name, "Select", in: "items")
  /// Selects the row at an index path.
  public static let selectRow = MethodDeclaration<Arguments<UInt32, UInt32>, Arguments<>>(
    name, "SelectRow", in: "section", "row")
  /// Clears the selection and the anchor.
  public static let deselect = MethodDeclaration<Arguments<>, Arguments<>>(name, "Deselect")
  /// Selects the anchor, which is the topmost row that was selected last, or the row that replaces
  /// it.
  public static let reselect = MethodDeclaration<Arguments<>, Arguments<String>>(
    name, "Reselect", out: "item")
  /// Finds the row that Reselect would select, and stores it as the pending row.
  public static let setReselect = MethodDeclaration<Arguments<>, Arguments<String>>(
    name, "SetReselect", out: "item")
  /// Selects the pending row.
  public static let commit = MethodDeclaration<Arguments<>, Arguments<String>>(
    name, "Commit", out: "item")
  /// Closes the view.
  public static let close = MethodDeclaration<Arguments<>, Arguments<>>(name, "Close")

  /// The path of the board that the view shows.
  public static let board = PropertyDeclaration<ObjectPath>(name, "Board", changes: .never)
  /// The application that opened the view.
  public static let application = PropertyDeclaration<String>(name, "Application", changes: .never)
  /// Whether the view is in edit mode.
  public static let editing = PropertyDeclaration<Bool>(name, "Editing")
  /// The ids of the selected rows.
  public static let selection = PropertyDeclaration<[String]>(name, "Selection")
  /// The id of the row that Commit would select; "" if there is none.
  public static let pending = PropertyDeclaration<String>(name, "Pending")
  /// Whether several rows can be selected at once.
  public static let allowsMultipleSelection = PropertyDeclaration<Bool>(
    name, "AllowsMultipleSelection", isWritable: true)
}
