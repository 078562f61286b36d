/// Which signals a connection wants to get.
///
/// Source: the D-Bus specification, "Match Rules".
public struct MatchRule: Hashable, Sendable, CustomStringConvertible {
  /// Who sends it, by unique or well-known name.
  public var sender: BusName?
  /// The object that sends it.
  public var path: ObjectPath?
  /// The object that sends it, or one above it.
  public var pathNamespace: ObjectPath?
  /// The signal's interface.
  public var interface: InterfaceName?
  /// The signal's name.
  public var member: MemberName?
  /// The signal's first argument, a string.
  public var firstArgument: String?

  /// A rule of the parts that are given; what is nil fits everything.
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

  /// The rule as AddMatch takes it.
  public var description: String {
    let parts: [(key: String, value: String?)] = [
      ("type", "signal"), ("sender", sender?.text), ("path", path?.text),
      ("path_namespace", pathNamespace?.text), ("interface", interface?.text),
      ("member", member?.text), ("arg0", firstArgument),
    ]
    return parts.compactMap { key, value in value.map { "\(key)=\(Self.quoted($0))" } }
      .joined(separator: ",")
  }

  /// Within quotes everything stands for itself; an apostrophe ends them, stands escaped, and opens them again.
  static func quoted(_ value: String) -> String {
    "'" + value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
      + "'"
  }

  /// Whether the rule fits a signal that the bus delivered.
  ///
  /// A well-known sender is taken for right: the message bears the owner's unique name, and the bus alone knows whose it is.
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
  /// Whether `path` is this path or lies below it.
  func contains(_ path: String) -> Bool {
    text == "/" || path == text || path.hasPrefix(text + "/")
  }
}

extension Message {
  /// The first argument where it is a string.
  fileprivate var firstString: String? {
    guard signature.text.utf8.first == UInt8(ascii: "s") else { return nil }
    var reader = MessageReader(self)
    return reader.string()
  }
}
