import DBus
import DragModel
import DragboardInterface

extension ItemAttributes {
  /// Changes the attributes that an argument names.
  ///
  /// - Throws: InvalidArgs.
  mutating func update(with argument: [String: Variant]) throws(DBusError) {
    var wire = self.wire
    try wire.update(with: argument, argument: "attributes")
    name = try Label(argument: "attributes: name", wire.name)
    modified = wire.modified
    application = try Label(argument: "attributes: application", wire.application)
  }

  /// The attributes as the contract has them.
  var wire: WireItemAttributes {
    WireItemAttributes(name: name.text, modified: modified, application: application.text)
  }
}

extension Label {
  /// Checks an argument.
  ///
  /// - Throws: InvalidArgs.
  init(argument: String, _ text: String) throws(DBusError) {
    do throws(LabelError) { try self.init(text) } catch {
      throw DBusError(.invalidArgs, "\(argument): \(error)")
    }
  }
}
