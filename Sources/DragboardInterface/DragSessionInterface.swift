public import DBus
public import Files

/// The interface `org.dragboard.Dragboard1.DragSession` of one drag, from its begin to its end.
public enum DragSessionInterface {
  /// The interface's name.
  public static let name: InterfaceName = "org.dragboard.Dragboard1.DragSession"

  // MARK: Source side

  /// Adds an item with one plain-text representation.
  public static let addText = MethodDeclaration<Arguments<String>, Arguments<UInt32>>(
    name, "AddText", in: "text", out: "item")
  /// Adds an item without a representation.
  public static let addItem = MethodDeclaration<Arguments<String>, Arguments<UInt32>>(
    name, "AddItem", in: "suggested_name", out: "item")
  /// Registers a plain text that is visible to all applications.
  public static let registerText = MethodDeclaration<Arguments<UInt32, String>, Arguments<>>(
    name, "RegisterText", in: "item", "text")
  /// Registers a representation with its bytes.
  public static let registerData = MethodDeclaration<
    Arguments<UInt32, String, String, [UInt8]>, Arguments<>
  >(name, "RegisterData", in: "item", "type", "visibility", "data")
  /// Registers a representation with the bytes of a file.
  public static let registerFile = MethodDeclaration<
    Arguments<UInt32, String, String, FileDescriptor>, Arguments<>
  >(name, "RegisterFile", in: "item", "type", "visibility", "fd")
  /// Registers a promise, whose bytes the source creates on request.
  public static let registerPromise = MethodDeclaration<
    Arguments<UInt32, String, String, ObjectPath>, Arguments<>
  >(name, "RegisterPromise", in: "item", "type", "visibility", "loader")
  /// Sets the expected number of bytes of a promise.
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

  /// Returns the types of an item, in order of fidelity, without types that the caller may not see.
  public static let getTypes = MethodDeclaration<Arguments<UInt32>, Arguments<[String]>>(
    name, "GetTypes", in: "item", out: "types")
  /// Returns the numbers of bytes of the types that `getTypes` returns.
  public static let getSizes = MethodDeclaration<Arguments<UInt32>, Arguments<[UInt64]>>(
    name, "GetSizes", in: "item", out: "sizes")
  /// Returns the types of an item that every client may see, in order of fidelity.
  public static let getPublicTypes = MethodDeclaration<Arguments<UInt32>, Arguments<[String]>>(
    name, "GetPublicTypes", in: "item", out: "types")
  /// Returns whether an item has a representation that conforms to a type.
  public static let canLoad = MethodDeclaration<Arguments<String>, Arguments<Bool>>(
    name, "CanLoad", in: "type", out: "can")
  /// Returns the name that the source suggests for a file of the item.
  public static let getSuggestedName = MethodDeclaration<Arguments<UInt32>, Arguments<String>>(
    name, "GetSuggestedName", in: "item", out: "name")
  /// Returns the attributes of an item.
  public static let getAttributes = MethodDeclaration<
    Arguments<UInt32>, Arguments<[String: Variant]>
  >(name, "GetAttributes", in: "item", out: "attributes")

  // MARK: Destination side

  /// Accepts the drop, so that the caller can load the items.
  public static let accept = MethodDeclaration<Arguments<String, String>, Arguments<String>>(
    name, "Accept", in: "application", "operation", out: "granted")
  /// Returns an item's plain text.
  public static let loadText = MethodDeclaration<Arguments<UInt32>, Arguments<String>>(
    name, "LoadText", in: "item", out: "text")
  /// Returns the bytes of an item's first representation that conforms to a type.
  public static let loadData = MethodDeclaration<Arguments<UInt32, String>, Arguments<[UInt8]>>(
    name, "LoadData", in: "item", "type", out: "data")
  /// Returns the bytes of an item's first representation that conforms to a type, as a file.
  public static let loadFile = MethodDeclaration<
    Arguments<UInt32, String>, Arguments<FileDescriptor>
  >(name, "LoadFile", in: "item", "type", out: "fd")
  /// Lets the source write the bytes of a promise to a pipe of the destination.
  public static let loadToPipe = MethodDeclaration<
    Arguments<UInt32, String, FileDescriptor>, Arguments<>
  >(name, "LoadToPipe", in: "item", "type", "fd")
  /// Ends the session with the granted operation, because the destination needs no more data.
  public static let finish = MethodDeclaration<Arguments<>, Arguments<>>(name, "Finish")
  /// Ends the session, and replaces the lists of the items that arrived and that failed.
  public static let finishItems = MethodDeclaration<Arguments<[UInt32], [UInt32]>, Arguments<>>(
    name, "FinishItems", in: "loaded", "failed")

  // MARK: Properties

  /// The application that drags.
  public static let application = PropertyDeclaration<String>(name, "Application", changes: .never)
  /// The state: "active", "dropping" or "ended".
  public static let state = PropertyDeclaration<String>(name, "State")
  /// The latest proposed operation; after the end, the result.
  public static let operation = PropertyDeclaration<String>(name, "Operation")
  /// The number of items.
  public static let itemCount = PropertyDeclaration<UInt32>(name, "ItemCount")
  /// The board whose rows are dragged; "/" for none.
  public static let sourceBoard = PropertyDeclaration<ObjectPath>(
    name, "SourceBoard", changes: .never)
  /// The ids of the dragged rows; empty if the items are not rows.
  public static let sourceRows = PropertyDeclaration<[String]>(name, "SourceRows", changes: .never)
  /// Whether a drop may move the items.
  public static let allowsMove = PropertyDeclaration<Bool>(name, "AllowsMove", isWritable: true)
  /// Whether only the source may accept the drop.
  public static let restrictedToApplication = PropertyDeclaration<Bool>(
    name, "RestrictedToApplication", isWritable: true)
  /// The machine on which the drag began; "" for this machine.
  public static let machine = PropertyDeclaration<String>(name, "Machine", isWritable: true)
  /// The progress of the loading, from 0 to 1.
  public static let progress = PropertyDeclaration<Double>(name, "Progress")

  // MARK: Signals

  /// Reports that a target has proposed a drop.
  public static let didUpdate = SignalDeclaration<
    Arguments<String, ObjectPath, String, UInt32, UInt32>
  >(name, "DidUpdate", "application", "target", "operation", "section", "row")
  /// Reports that the drag has left a target.
  public static let didExit = SignalDeclaration<Arguments<String, ObjectPath>>(
    name, "DidExit", "application", "target")
  /// Reports new items.
  public static let itemsAdded = SignalDeclaration<Arguments<UInt32, UInt32>>(
    name, "ItemsAdded", "first", "count")
  /// Reports a new representation or changed attributes of an item.
  public static let itemChanged = SignalDeclaration<Arguments<UInt32>>(name, "ItemChanged", "item")
  /// Reports that the drag is about to end, and with which operation.
  public static let willEnd = SignalDeclaration<Arguments<String>>(name, "WillEnd", "operation")
  /// Reports which items arrived and which items failed.
  public static let didTransferItems = SignalDeclaration<Arguments<[UInt32], [UInt32]>>(
    name, "DidTransferItems", "loaded", "failed")
  /// Reports the result of the drag.
  public static let didEnd = SignalDeclaration<Arguments<String>>(name, "DidEnd", "operation")
}
