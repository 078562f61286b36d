public import DBus

/// The attributes of a row in the reply of GetRows.
///
/// On the wire they are a dictionary, so that later versions of the contract can add and remove
/// attributes. A missing attribute has its default value.
public struct RowAttributes: Hashable, Sendable {
  private enum Key: String {
    case editable, movable, pinned, created, source, size
  }

  /// Whether the caller can change and delete the row.
  public var isEditable = true
  /// Whether the caller can move the row.
  public var isMovable = true
  /// Whether the row stays when the board is cleared; false if the caller may not know this.
  public var isPinned = false
  /// The time of the insertion, in microseconds since 1970, UTC; nil if the caller may not know it.
  public var created: UInt64?
  /// The application that dropped the row, or "" if the row was inserted without a drop; nil if the
  /// caller may not know it.
  public var source: String?
  /// The number of bytes of all representations; nil if the caller may not know it.
  public var byteCount: UInt64?
  /// The attributes that the source of the item chose.
  public var item = WireItemAttributes()

  /// Creates attributes with default values for all other properties.
  public init(isEditable: Bool = true, isMovable: Bool = true) {
    self.isEditable = isEditable
    self.isMovable = isMovable
  }

  /// Decodes attributes; ignores values of unexpected types.
  public init(_ wire: [String: Variant]) {
    for (key, value) in wire { set(key, to: value.value) }
  }

  private mutating func set(_ key: String, to value: Value) {
    // A comparison with each short name takes fewer instructions than `Key(rawValue:)`.
    switch (key, value) {
    case (Key.editable.rawValue, .boolean(let isEditable)): self.isEditable = isEditable
    case (Key.movable.rawValue, .boolean(let isMovable)): self.isMovable = isMovable
    case (Key.pinned.rawValue, .boolean(let isPinned)): self.isPinned = isPinned
    case (Key.created.rawValue, .uint64(let created)): self.created = created
    case (Key.source.rawValue, .string(let source)): self.source = source
    case (Key.size.rawValue, .uint64(let byteCount)): self.byteCount = byteCount
    default: _ = item.set(key, to: value)
    }
  }
}

extension RowAttributes: BusValue {
  /// `a{sv}`.
  public static var signature: Signature { [String: Variant].signature }
  /// The alignment of a dictionary.
  public static var wireAlignment: Int { [String: Variant].wireAlignment }

  /// Reads the attributes without creating a dictionary; the later of two equal keys is used.
  public static func read(from reader: inout MessageReader) throws(DBusError) -> RowAttributes {
    try reader.container { entries throws(DBusError) in
      var attributes = RowAttributes()
      while !entries.isAtEnd {
        try entries.container { entry throws(DBusError) in
          let key = entry.string()
          attributes.set(key, to: try Variant.read(from: &entry).value)
        }
      }
      return attributes
    }
  }

  /// Appends the attributes without creating a dictionary.
  ///
  /// For a page of many rows, the dictionaries would take a third of the time.
  public func write(to writer: inout MessageWriter) {
    writer.entries { entries in
      entries.entry(Key.editable.rawValue, isEditable)
      entries.entry(Key.movable.rawValue, isMovable)
      if isPinned { entries.entry(Key.pinned.rawValue, true) }
      if let created { entries.entry(Key.created.rawValue, created) }
      if let source { entries.entry(Key.source.rawValue, source) }
      if let byteCount { entries.entry(Key.size.rawValue, byteCount) }
      item.writeEntries(to: &entries)
    }
  }
}
