public import DBus
public import Files

/// `org.dragboard.Dragboard1.DragSession`: one drag, from pick-up to conclusion.
public enum DragSessionInterface {
  /// The interface's name.
  public static let name: InterfaceName = "org.dragboard.Dragboard1.DragSession"

  // MARK: Source side

  /// Adds an item with a plain text.
  public static let addText = MethodDeclaration<Arguments<String>, Arguments<UInt32>>(
    name, "AddText", in: "text", out: "item")
  /// Adds an item without a representation.
  public static let addItem = MethodDeclaration<Arguments<String>, Arguments<UInt32>>(
    name, "AddItem", in: "suggested_name", out: "item")
  /// Registers a plain text that everybody may see.
  public static let registerText = MethodDeclaration<Arguments<UInt32, String>, Arguments<>>(
    name, "RegisterText", in: "item", "text")
  /// Registers bytes.
  public static let registerData = MethodDeclaration<
    Arguments<UInt32, String, String, [UInt8]>, Arguments<>
  >(name, "RegisterData", in: "item", "type", "visibility", "data")
  /// Registers the bytes of a file.
  public static let registerFile = MethodDeclaration<
    Arguments<UInt32, String, String, FileDescriptor>, Arguments<>
  >(name, "RegisterFile", in: "item", "type", "visibility", "fd")
  /// Registers data that is made when somebody asks for it.
  public static let registerPromise = MethodDeclaration<
    Arguments<UInt32, String, String, ObjectPath>, Arguments<>
  >(name, "RegisterPromise", in: "item", "type", "visibility", "loader")
  /// Says how many bytes a promise will give.
  public static let setExpectedSize = MethodDeclaration<
    Arguments<UInt32, String, UInt64>, Arguments<>
  >(name, "SetExpectedSize", in: "item", "type", "bytes")
  /// Changes attributes of an item.
  public static let setAttributes = MethodDeclaration<
    Arguments<UInt32, [String: Variant]>, Arguments<>
  >(name, "SetAttributes", in: "item", "attributes")
  /// Ends the session without a drop.
  public static let cancel = MethodDeclaration<Arguments<>, Arguments<>>(name, "Cancel")

  // MARK: Either side

  /// What the caller may see of an item's types, in order of fidelity.
  public static let getTypes = MethodDeclaration<Arguments<UInt32>, Arguments<[String]>>(
    name, "GetTypes", in: "item", out: "types")
  /// Whether some item has a representation that conforms.
  public static let canLoad = MethodDeclaration<Arguments<String>, Arguments<Bool>>(
    name, "CanLoad", in: "type", out: "can")
  /// What a file of the item would be called.
  public static let getSuggestedName = MethodDeclaration<Arguments<UInt32>, Arguments<String>>(
    name, "GetSuggestedName", in: "item", out: "name")
  /// The attributes of an item.
  public static let getAttributes = MethodDeclaration<
    Arguments<UInt32>, Arguments<[String: Variant]>
  >(name, "GetAttributes", in: "item", out: "attributes")

  // MARK: Destination side

  /// Takes the drop.
  public static let accept = MethodDeclaration<Arguments<String, String>, Arguments<String>>(
    name, "Accept", in: "application", "operation", out: "granted")
  /// An item's plain text.
  public static let loadText = MethodDeclaration<Arguments<UInt32>, Arguments<String>>(
    name, "LoadText", in: "item", out: "text")
  /// The bytes of an item's first representation that conforms.
  public static let loadData = MethodDeclaration<Arguments<UInt32, String>, Arguments<[UInt8]>>(
    name, "LoadData", in: "item", "type", out: "data")
  /// The same as a file.
  public static let loadFile = MethodDeclaration<
    Arguments<UInt32, String>, Arguments<FileDescriptor>
  >(name, "LoadFile", in: "item", "type", out: "fd")
  /// Says that the destination has all that it wants.
  public static let finish = MethodDeclaration<Arguments<>, Arguments<>>(name, "Finish")

  // MARK: Properties

  /// Who drags.
  public static let application = PropertyDeclaration<String>(name, "Application", changes: .never)
  /// "active", "dropping" or "ended".
  public static let state = PropertyDeclaration<String>(name, "State")
  /// What the latest proposal said, and in the end what was done.
  public static let operation = PropertyDeclaration<String>(name, "Operation")
  /// How many items there are.
  public static let itemCount = PropertyDeclaration<UInt32>(name, "ItemCount")
  /// The board whose rows are dragged; "/" for none.
  public static let sourceBoard = PropertyDeclaration<ObjectPath>(
    name, "SourceBoard", changes: .never)
  /// The rows that are dragged.
  public static let sourceRows = PropertyDeclaration<[String]>(name, "SourceRows", changes: .never)
  /// Whether a drop may move.
  public static let allowsMove = PropertyDeclaration<Bool>(name, "AllowsMove", isWritable: true)
  /// Whether only the source may take the drop.
  public static let restrictedToApplication = PropertyDeclaration<Bool>(
    name, "RestrictedToApplication", isWritable: true)
  /// How much is loaded, from 0 to 1.
  public static let progress = PropertyDeclaration<Double>(name, "Progress")

  // MARK: Signals

  /// Tells that the drag is over a target.
  public static let didUpdate = SignalDeclaration<
    Arguments<String, ObjectPath, String, UInt32, UInt32>
  >(name, "DidUpdate", "application", "target", "operation", "section", "row")
  /// Tells that the drag has left a target.
  public static let didExit = SignalDeclaration<Arguments<String, ObjectPath>>(
    name, "DidExit", "application", "target")
  /// Tells of new items.
  public static let itemsAdded = SignalDeclaration<Arguments<UInt32, UInt32>>(
    name, "ItemsAdded", "first", "count")
  /// Tells what the drop set out to do.
  public static let willEnd = SignalDeclaration<Arguments<String>>(name, "WillEnd", "operation")
  /// Tells which items arrived and which did not.
  public static let didTransferItems = SignalDeclaration<Arguments<[UInt32], [UInt32]>>(
    name, "DidTransferItems", "loaded", "failed")
  /// Tells what came of the drag.
  public static let didEnd = SignalDeclaration<Arguments<String>>(name, "DidEnd", "operation")
}
