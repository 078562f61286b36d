import DBus
import DragModel
import DragboardInterface

extension ItemAttributes {
  /// Replaces the attributes that an argument names.
  ///
  /// - Throws: InvalidArgs if a value is invalid.
  mutating func update(with argument: [String: Variant]) throws(DBusError) {
    var wire = self.wire
    try wire.update(with: argument, argument: "attributes")
    name = try Label(argument: "attributes: name", wire.name)
    modified = wire.modified
    application = try Label(argument: "attributes: application", wire.application)
    stack = try Label(argument: "attributes: stack", wire.stack)
    mode = wire.mode
  }

  /// The attributes in the form of the wire.
  var wire: WireItemAttributes {
    WireItemAttributes(
      name: name.text, modified: modified, application: application.text, stack: stack.text,
      mode: mode)
  }
}

extension Label {
  /// Creates a label from an argument.
  ///
  /// - Throws: InvalidArgs if a value is invalid.
  init(argument: String, _ text: String) throws(DBusError) {
    do throws(LabelError) { try self.init(text) } catch {
      throw DBusError(.invalidArgs, "\(argument): \(error)")
    }
  }
}
