public import DBus

/// The attributes of an item that its source chooses, in InsertItem, SetAttributes, GetAttributes
/// and GetRows.
public struct WireItemAttributes: Hashable, Sendable {
  enum Key: String {
    case name, modified, application, stack, mode
  }

  /// The suggested name of a file; "" if there is none.
  public var name: String
  /// The time of the last modification, in microseconds since 1970, UTC; nil if unknown.
  public var modified: UInt64?
  /// The latest time of a modification: the database stores signed integers.
  public static let maxModified = UInt64(Int64.max)
  /// The application that created the content, for display; "" if unknown.
  public var application: String
  /// The stack of the item; "" if it is in none.
  public var stack: String
  /// The permissions of a file; nil if unknown.
  public var mode: UInt32?
  /// The mode with all permissions of owner, group and others.
  public static let maxMode: UInt32 = 0o777

  /// Creates attributes.
  public init(
    name: String = "", modified: UInt64? = nil, application: String = "", stack: String = "",
    mode: UInt32? = nil
  ) {
    (self.name, self.modified, self.application) = (name, modified, application)
    (self.stack, self.mode) = (stack, mode)
  }

  /// Decodes attributes; ignores unknown keys and values of unexpected types.
  public init(_ wire: [String: Variant]) {
    self.init()
    for (key, value) in wire { _ = set(key, to: value.value) }
  }

  /// Replaces the attributes that an argument names.
  ///
  /// - Throws: InvalidArgs if the argument has an unknown key or a value of an unexpected type.
  public mutating func update(
    with wire: [String: Variant], argument: String
  ) throws(DBusError) {
    for (key, value) in wire {
      if case .uint64(let time) = value.value, time > Self.maxModified {
        throw DBusError(
          .invalidArgs, "\(argument): \(key): \(time) is out of range (0…\(Self.maxModified))")
      }
      if case .uint32(let mode) = value.value, key == Key.mode.rawValue, mode > Self.maxMode {
        throw DBusError(
          .invalidArgs, "\(argument): \(key): \(mode) is out of range (0…\(Self.maxMode))")
      }
      guard !set(key, to: value.value) else { continue }
      throw DBusError(
        .invalidArgs,
        "\(argument): \(key.debugDescription) of type '\(value.value.signature)' is not an attribute (name: s, modified: t, application: s, stack: s, mode: u)"
      )
    }
  }

  mutating func set(_ key: String, to value: Value) -> Bool {
    switch (Key(rawValue: key), value) {
    case (.name, .string(let name)): self.name = name
    case (.modified, .uint64(let modified)): self.modified = modified
    case (.application, .string(let application)): self.application = application
    case (.stack, .string(let stack)): self.stack = stack
    case (.mode, .uint32(let mode)): self.mode = mode
    default: return false
    }
    return true
  }

  /// The known attributes on the wire.
  public var wire: [String: Variant] {
    var wire: [String: Variant] = [:]
    if !name.isEmpty { wire[Key.name.rawValue] = Variant(.string(name)) }
    if let modified { wire[Key.modified.rawValue] = Variant(.uint64(modified)) }
    if !application.isEmpty { wire[Key.application.rawValue] = Variant(.string(application)) }
    if !stack.isEmpty { wire[Key.stack.rawValue] = Variant(.string(stack)) }
    if let mode { wire[Key.mode.rawValue] = Variant(.uint32(mode)) }
    return wire
  }

  func writeEntries(to entries: inout MessageWriter) {
    if !name.isEmpty { entries.entry(Key.name.rawValue, name) }
    if let modified { entries.entry(Key.modified.rawValue, modified) }
    if !application.isEmpty { entries.entry(Key.application.rawValue, application) }
    if !stack.isEmpty { entries.entry(Key.stack.rawValue, stack) }
    if let mode { entries.entry(Key.mode.rawValue, mode) }
  }
}
