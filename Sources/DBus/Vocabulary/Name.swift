import CDBus

/// The error for a text that is not a valid D-Bus name, path or signature.
public struct InvalidName: Error, Hashable, Sendable, CustomStringConvertible {
  /// The expected kind of text, such as "object path" or "bus name".
  public let kind: String
  /// The invalid text.
  public let text: String

  /// A sentence with the text and the expected kind.
  public var description: String { "'\(text)' is not a valid \(kind)" }
}

/// A text with a grammar in the D-Bus specification.
///
/// Each kind is a separate type, whose values are checked when they are created.
///
/// Source: the D-Bus specification, "Valid Object Paths", "Valid Names".
public protocol BusVocabulary: Hashable, Sendable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  /// The name of the kind in messages.
  static var kind: String { get }
  /// Returns whether `text` follows the grammar.
  static func isValid(_ text: String) -> Bool
  /// The valid text.
  var text: String { get }
  /// Creates a value from a text that is known to be valid.
  init(unchecked text: String)
}

extension BusVocabulary {
  /// Checks `text`.
  ///
  /// - Throws: `InvalidName` if it does not follow the grammar.
  public init(_ text: String) throws(InvalidName) {
    guard Self.isValid(text) else {
      throw InvalidName(kind: Self.kind, text: text)
    }
    self.init(unchecked: text)
  }

  /// Creates a value from a literal; traps if the literal is invalid.
  public init(stringLiteral text: String) {
    precondition(Self.isValid(text), "'\(text)' is not a valid \(Self.kind)")
    self.init(unchecked: text)
  }

  /// The text.
  public var description: String { text }

  /// Returns whether libdbus accepts a text.
  ///
  /// A text with a U+0000 is invalid; libdbus would check only the part before it.
  fileprivate static func check(
    _ text: String,
    _ isValid: (UnsafePointer<CChar>?, UnsafeMutablePointer<CDBus.DBusError>?) -> dbus_bool_t
  ) -> Bool {
    !text.utf8.contains(0) && isValid(text, nil) != 0
  }
}

/// The path of an object: `/`, or elements of letters, digits and `_`, each after a slash.
///
/// Valid: `/`, `/org/dragboard/Dragboard1`. Not valid: `org`, `/org/`, `/a-b`, `//`.
public struct ObjectPath: BusVocabulary {
  /// "object path".
  public static var kind: String { "object path" }
  /// The path as on the wire.
  public let text: String
  /// Creates a path from a text that is known to be valid.
  public init(unchecked text: String) { self.text = text }
  /// The corresponding C function is `dbus_validate_path`.
  public static func isValid(_ text: String) -> Bool { check(text, dbus_validate_path) }
}

/// A name on the bus, well-known (`org.dragboard.Dragboard1`) or unique (`:1.42`).
///
/// Valid: `org.example.App`, `:1.42`. Not valid: `example`, `org..App`, `org.1st`.
public struct BusName: BusVocabulary {
  /// "bus name".
  public static var kind: String { "bus name" }
  /// The name as on the wire.
  public let text: String
  /// Creates a name from a text that is known to be valid.
  public init(unchecked text: String) { self.text = text }
  /// The corresponding C function is `dbus_validate_bus_name`.
  public static func isValid(_ text: String) -> Bool { check(text, dbus_validate_bus_name) }
  /// Whether this is a connection's unique name.
  public var isUnique: Bool { text.utf8.first == UInt8(ascii: ":") }
  /// The bus itself.
  public static let bus: BusName = "org.freedesktop.DBus"
}

/// The name of an interface: two elements or more, joined by dots.
///
/// Valid: `org.freedesktop.DBus.Peer`. Not valid: `Peer`, `org.1st`, `org.a-b`.
public struct InterfaceName: BusVocabulary {
  /// "interface name".
  public static var kind: String { "interface name" }
  /// The name as on the wire.
  public let text: String
  /// Creates a name from a text that is known to be valid.
  public init(unchecked text: String) { self.text = text }
  /// The corresponding C function is `dbus_validate_interface`.
  public static func isValid(_ text: String) -> Bool { check(text, dbus_validate_interface) }
}

/// The name of a method, signal or property: letters, digits and `_`, no digit first.
///
/// Valid: `GetRows`. Not valid: `Get.Rows`, `1st`, the empty text.
public struct MemberName: BusVocabulary {
  /// "member name".
  public static var kind: String { "member name" }
  /// The name as on the wire.
  public let text: String
  /// Creates a name from a text that is known to be valid.
  public init(unchecked text: String) { self.text = text }
  /// The corresponding C function is `dbus_validate_member`.
  public static func isValid(_ text: String) -> Bool { check(text, dbus_validate_member) }
}

/// The name of an error, with the grammar of an interface name.
///
/// Valid: `org.freedesktop.DBus.Error.Failed`. Not valid: `Failed`.
public struct ErrorName: BusVocabulary {
  /// "error name".
  public static var kind: String { "error name" }
  /// The name as on the wire.
  public let text: String
  /// Creates a name from a text that is known to be valid.
  public init(unchecked text: String) { self.text = text }
  /// The corresponding C function is `dbus_validate_error_name`.
  public static func isValid(_ text: String) -> Bool { check(text, dbus_validate_error_name) }
}

/// The types of zero or more values: `s`, `a{sv}`, `(uas)`, or nothing.
///
/// Valid: the empty text, `a(ssasa{sv})`. Not valid: `a`, `(`, `{sv}`.
///
/// Source: the D-Bus specification, "Type System".
public struct Signature: BusVocabulary {
  /// "signature".
  public static var kind: String { "signature" }
  /// The signature as on the wire.
  public let text: String
  /// Creates a signature from a text that is known to be valid.
  public init(unchecked text: String) { self.text = text }
  /// The corresponding C function is `dbus_signature_validate`.
  public static func isValid(_ text: String) -> Bool { check(text, dbus_signature_validate) }
}
