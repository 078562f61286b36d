/// The properties of an item in addition to its representations.
public struct ItemAttributes: Hashable, Sendable {
  /// The suggested name of a file; "" for none.
  ///
  /// The name is not trustworthy: see ``FileName``.
  public var name: String
  /// The modification time of the file, as time since the beginning of 1970, UTC; nil if unknown.
  public var modified: Duration?
  /// The application that created the content, only for display; "" if unknown.
  public var application: String
  /// The stack: adjacent rows of a section with the same stack belong together; "" for none.
  public var stack: String
  /// The permissions of the file, at most 0o777; nil if unknown.
  public var mode: UInt32?

  /// Creates attributes.
  public init(
    name: String = "", modified: Duration? = nil, application: String = "", stack: String = "",
    mode: UInt32? = nil
  ) {
    (self.name, self.modified, self.application) = (name, modified, application)
    (self.stack, self.mode) = (stack, mode)
  }

  /// Returns the name of a stack that no row has.
  public static func newStack() -> String {
    let number = UInt128.random(in: (.max / 2)...(.max))
    return String(number, radix: 16)
  }
}
