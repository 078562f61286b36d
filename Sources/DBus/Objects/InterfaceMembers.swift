/// What an interface consists of, the class of the objects that implement it forgotten.
///
/// If it were generic the standard library would look up the types of its collections at run time, for as much as a property's value costs
/// otherwise.
final class InterfaceMembers {
  /// Answers a call of an object of the right class.
  typealias Answer = (AnyObject, Call) throws(DBusError) -> Void

  /// What a call of a method takes, and how it is answered.
  struct Method {
    let input: Signature
    let answer: Answer
  }

  /// How a property is read, and how it is set where it can be.
  struct Property {
    let description: PropertyDescription
    /// Appends the value, a variant.
    let write: (AnyObject, inout MessageWriter) -> Void
    let set: Answer?
  }

  let name: InterfaceName
  /// What introspection says of it.
  var description: InterfaceDescription
  var methods: [String: Method] = [:]
  /// In the order of the description.
  var properties: [Property] = []

  /// An interface without members yet.
  init(_ name: InterfaceName) {
    self.name = name
    description = InterfaceDescription(name: name)
  }

  /// The same members, to be changed.
  init(_ other: InterfaceMembers) {
    (name, description) = (other.name, other.description)
    (methods, properties) = (other.methods, other.properties)
  }

  /// The place of a property of that name; nil where there is none.
  ///
  /// O(properties), of which there are a few: to compare names takes less than to hash one.
  func index(ofProperty name: String) -> Int? {
    let properties = properties
    return properties.firstIndex { $0.description.name.text == name }
  }
}
