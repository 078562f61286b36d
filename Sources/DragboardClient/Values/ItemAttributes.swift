/// The facts about an item besides its representations.
public struct ItemAttributes: Hashable, Sendable {
  /// The suggested name of a file, which is not trustworthy; "" for none.
  public var name: String
  /// When the file was modified, as time since the beginning of 1970, UTC; nil if unknown.
  public var modified: Duration?
  /// The application that made the content, for display; "" if unknown.
  public var application: String

  /// Creates attributes.
  public init(name: String = "", modified: Duration? = nil, application: String = "") {
    (self.name, self.modified, self.application) = (name, modified, application)
  }
}
