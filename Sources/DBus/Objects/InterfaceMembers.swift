/// The members of an interface, independent of the class that implements them.
///
/// The class is not generic. In a generic class, each access would look up the types of the
/// collections at run time, which takes as long as reading a property.
final class InterfaceMembers {
  /// A function that answers a call of an object of the right class.
  typealias Answer = (AnyObject, Call) throws(DBusError) -> Void

  /// The argument types of a method, and its implementation.
  struct Method {
    let input: Signature
    let answer: Answer
  }

  /// The implementation of a property: reading, and setting if it is writable.
  struct Property {
    let description: PropertyDescription
    /// Appends the value as a variant.
    let write: (AnyObject, inout MessageWriter) -> Void
    let set: Answer?
  }

  let name: InterfaceName
  /// The interface in introspection data.
  var description: InterfaceDescription
  var methods: [String: Method] = [:]
  /// The properties, in the order of the description.
  var properties: [Property] = []

  init(_ name: InterfaceName) {
    self.name = name
    description = InterfaceDescription(name: name)
  }

  /// Creates a copy that can be changed.
  init(_ other: InterfaceMembers) {
    (name, description) = (other.name, other.description)
    (methods, properties) = (other.methods, other.properties)
  }

  /// Returns the index of a property; nil if it does not exist.
  ///
  /// O(properties). An interface has few properties, so comparing names is faster than hashing
  /// them.
  func index(ofProperty name: String) -> Int? {
    let properties = properties
    return properties.firstIndex { $0.description.name.text == name }
  }
}
