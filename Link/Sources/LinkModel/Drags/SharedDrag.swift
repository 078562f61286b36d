/// The marker type for the keys of drags.
public enum DragSubject {}

/// The key of a drag, which is the same on all machines.
public typealias DragKey = Key<DragSubject>

/// The description of a drag for other machines: its items without their bytes.
public struct SharedDrag: Hashable, Sendable {
  /// A dragged item.
  public struct Item: Hashable, Sendable {
    /// The suggested name; "" if there is none.
    public var name: String
    /// The time of the last modification, in microseconds since 1970; nil if it is unknown.
    public var modified: UInt64?
    /// The application that created the content; "" if it is unknown.
    public var application: String
    /// The stack; "" for none.
    public var stack: String
    /// The types that every client may see, in order of fidelity.
    public var types: [String]

    /// Creates an item.
    public init(
      name: String = "", modified: UInt64? = nil, application: String = "", stack: String = "",
      types: [String] = []
    ) {
      (self.name, self.modified, self.application) = (name, modified, application)
      (self.stack, self.types) = (stack, types)
    }
  }

  /// The items.
  public var items: [Item]

  /// Creates a description.
  public init(items: [Item] = []) { self.items = items }

  /// The maximum number of drags of one machine that other machines show.
  public static let maxDrags = 32
  /// The maximum number of items of a drag that crosses machines.
  public static let maxItems = 1_000
  /// The maximum number of bytes of an encoded description.
  public static let maxBytes = 512 << 10
  /// The maximum number of types of an item.
  static let maxTypes = 256
  /// The maximum number of bytes of a type or a name: 255 Unicode scalars.
  static let maxTextBytes = 1_020

  /// Whether other machines can show the drag.
  public var isShareable: Bool {
    guard items.count <= Self.maxItems, items.contains(where: { !$0.types.isEmpty }) else {
      return false
    }
    var writer = ByteWriter()
    encode(to: &writer)
    return writer.bytes.count <= Self.maxBytes
  }
}

extension SharedDrag {
  func encode(to writer: inout ByteWriter) {
    writer.write(items.count)
    for item in items {
      for text in [item.name, item.application, item.stack] { writer.write(text) }
      writer.write(byte: item.modified == nil ? 0 : 1)
      if let modified = item.modified { writer.write(modified) }
      writer.write(item.types.count)
      for type in item.types { writer.write(type) }
    }
  }

  init(from reader: inout ByteReader) throws(EncodingDamage) {
    let count = try reader.readCount(ofSize: 5)
    guard count <= Self.maxItems else { throw .invalid }
    items = []
    for _ in 0..<count {
      var item = Item(
        name: try reader.readText(max: Self.maxTextBytes),
        application: try reader.readText(max: Self.maxTextBytes),
        stack: try reader.readText(max: Self.maxTextBytes))
      switch try reader.readByte() {
      case 0: break
      case 1: item.modified = try reader.readNumber()
      default: throw .invalid
      }
      let types = try reader.readCount()
      guard types <= Self.maxTypes else { throw .invalid }
      for _ in 0..<types { item.types.append(try reader.readText(max: Self.maxTextBytes)) }
      items.append(item)
    }
  }
}
