/// A filter for the signals that a connection subscribes to.
///
/// Source: the D-Bus specification, "Match Rules".
public struct MatchRule: Hashable, Sendable, CustomStringConvertible {
  /// The sender, by unique or well-known name.
  public var sender: BusName?
  /// The object that sends the signal.
  public var path: ObjectPath?
  /// The object that sends the signal, or one of its ancestors.
  public var pathNamespace: ObjectPath?
  /// The signal's interface.
  public var interface: InterfaceName?
  /// The signal's name.
  public var member: MemberName?
  /// The value of the signal's first argument, a string.
  public var firstArgument: String?

  /// Creates a rule; a nil part matches everything.
  public init(
    sender: BusName? = nil, path: ObjectPath? = nil, pathNamespace: ObjectPath? = nil,
    interface: InterfaceName? = nil, member: MemberName? = nil, firstArgument: String? = nil
  ) {
    self.sender = sender
    self.path = path
    self.pathNamespace = pathNamespace
    self.interface = interface
    self.member = member
    self.firstArgument = firstArgument
  }

  /// The rule as an argument of AddMatch.
  public var description: String {
    let parts: [(key: String, value: String?)] = [
      ("type", "signal"), ("sender", sender?.text), ("path", path?.text),
      ("path_namespace", pathNamespace?.text), ("interface", interface?.text),
      ("member", member?.text), ("arg0", firstArgument),
    ]
    return parts.compactMap { key, value in value.map { "\(key)=\(Self.quoted($0))" } }
      .joined(separator: ",")
  }

  /// Quotes a value.
  ///
  /// Within quotes all characters are literal. An apostrophe is written as a closing quote, an
  /// escaped apostrophe and an opening quote.
  static func quoted(_ value: String) -> String {
    "'" + value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }

  /// Returns whether the rule matches a signal that the bus delivered.
  ///
  /// A well-known sender is not checked, because the message has the owner's unique name. Only the
  /// bus knows the owner's well-known names.
  func matches(_ signal: Message) -> Bool {
    func fits(_ wanted: String?, _ actual: @autoclosure () -> String?) -> Bool {
      wanted == nil || wanted == actual()
    }
    return fits(member?.text, signal.member)
      && fits(interface?.text, signal.interface)
      && fits(path?.text, signal.path)
      && (sender.map { !$0.isUnique && $0 != .bus || $0.text == signal.sender } ?? true)
      && (pathNamespace.map { $0.contains(signal.path ?? "") } ?? true)
      && (firstArgument.map { $0 == signal.firstString } ?? true)
  }
}

extension ObjectPath {
  /// Returns whether `path` is this path or a descendant of it.
  func contains(_ path: String) -> Bool {
    text == "/" || path == text || path.hasPrefix(text + "/")
  }
}

extension Message {
  /// The first argument, if it is a string.
  fileprivate var firstString: String? {
    guard signature.text.utf8.first == UInt8(ascii: "s") else { return nil }
    var reader = MessageReader(self)
    return reader.string()
  }
}
