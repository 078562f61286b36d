import CDBus

/// What is wrong with a text that should have been a D-Bus name, path or signature.
public struct InvalidName: Error, Hashable, Sendable, CustomStringConvertible {
  /// What the text should have been, such as "object path" or "bus name".
  public let kind: String
  /// The text itself.
  public let text: String

  /// One sentence that names the text and what it should have been.
  public var description: String { "'\(text)' is not a valid \(kind)" }
}

/// A text that the D-Bus specification gives a grammar.
///
/// Each kind is a type of its own, checked once, when it is made: what holds one needs no check.
/// Source: the D-Bus specification, "Valid Object Paths", "Valid Names".
public protocol BusVocabulary: Hashable, Sendable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  /// What such a text is called in messages.
  static var kind: String { get }
  /// Whether `text` follows the grammar.
  static func isValid(_ text: String) -> Bool
  /// The text, valid.
  var text: String { get }
  /// Takes a text that is known to be valid.
  init(unchecked text: String)
}

extension BusVocabulary {
  /// Checks `text`.
  ///
  /// - Throws: `InvalidName` where it does not follow the grammar.
  public init(_ text: String) throws(InvalidName) {
    guard Self.isValid(text) else {
      throw InvalidName(kind: Self.kind, text: text)
    }
    self.init(unchecked: text)
  }

  /// A literal in the source; one that is not valid is a mistake of the program and traps.
  public init(stringLiteral text: String) {
    precondition(Self.isValid(text), "'\(text)' is not a valid \(Self.kind)")
    self.init(unchecked: text)
  }

  /// The text.
  public var description: String { text }

  /// libdbus reads no further than a U+0000, and nothing that has one is valid.
  fileprivate static func check(
    _ text: String,
    _ isValid: (UnsafePointer<CChar>?, UnsafeMutablePointer<CDBus.DBusError>?) -> dbus_bool_t
  ) -> Bool {
    !text.utf8.contains(0) && isValid(text, nil) != 0
  }
}

/// The address of an object: `/`, or elements of letters, digits and `_` behind slashes.
///
/// Valid: `/`, `/org/dragboard/Dragboard1`. Not valid: `org`, `/org/`, `/a-b`, `//`.
public struct ObjectPath: BusVocabulary {
  /// "object path".
  public static var kind: String { "object path" }
  /// The path as it stands on the wire.
  public let text: String
  /// Takes a text that is known to be an object path.
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
  /// The name as it stands on the wire.
  public let text: String
  /// Takes a text that is known to be a bus name.
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
  /// The name as it stands on the wire.
  public let text: String
  /// Takes a text that is known to be an interface name.
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
  /// The name as it stands on the wire.
  public let text: String
  /// Takes a text that is known to be a member name.
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
  /// The name as it stands on the wire.
  public let text: String
  /// Takes a text that is known to be an error name.
  public init(unchecked text: String) { self.text = text }
  /// The corresponding C function is `dbus_validate_error_name`.
  public static func isValid(_ text: String) -> Bool { check(text, dbus_validate_error_name) }
}

/// The types of zero or more values: `s`, `a{sv}`, `(uas)`, or nothing.
///
/// Valid: the empty text, `a(ssasa{sv})`. Not valid: `a`, `(`, `{sv}`.
/// Source: the D-Bus specification, "Type System".
public struct Signature: BusVocabulary {
  /// "signature".
  public static var kind: String { "signature" }
  /// The signature as it stands on the wire.
  public let text: String
  /// Takes a text that is known to be a signature.
  public init(unchecked text: String) { self.text = text }
  /// The corresponding C function is `dbus_signature_validate`.
  public static func isValid(_ text: String) -> Bool { check(text, dbus_signature_validate) }
}
