public import DBus
public import Files

/// The interface `org.dragboard.Dragboard1.RepresentationLoader` of a client that promised a
/// representation.
public enum RepresentationLoaderInterface {
  /// The interface's name.
  public static let name: InterfaceName = "org.dragboard.Dragboard1.RepresentationLoader"
  /// Writes the bytes of an item's representation to the write end of a pipe.
  public static let load = MethodDeclaration<
    Arguments<ObjectPath, UInt32, String, FileDescriptor>, Arguments<>
  >(name, "Load", in: "session", "item", "type", "fd")
}
