/// The name of an item and other facts for display; no decision depends on them.
public struct ItemAttributes: Hashable, Sendable {
  /// No attributes.
  public static let none = ItemAttributes()

  /// The suggested file name.
  ///
  /// The name is not trustworthy: it can be ".bash_profile", "-rf" or "../x".
  public var name: Label
  /// The time of the last modification of a file, in microseconds since 1970, UTC; nil if unknown.
  public var modified: UInt64?
  /// The application that created the content, for display.
  public var application: Label
  /// The stack: adjacent rows with the same stack are shown as one.
  public var stack: Label
  /// The permissions of a file, at most `maxMode`; nil if unknown.
  public var mode: UInt32?

  /// The mode with all permissions of owner, group and others.
  public static let maxMode: UInt32 = 0o777

  /// Creates attributes.
  public init(
    name: Label = .none, modified: UInt64? = nil, application: Label = .none, stack: Label = .none,
    mode: UInt32? = nil
  ) {
    (self.name, self.modified, self.application) = (name, modified, application)
    (self.stack, self.mode) = (stack, mode)
  }

  /// The number of bytes of all texts.
  public var textByteCount: Int {
    name.text.utf8.count + application.text.utf8.count + stack.text.utf8.count
  }
}
