import DBus

/// A value that can be an argument of dbus-send.
protocol DBusSendArgument {
  /// The type prefix: `string:`.
  var dbusSendType: String { get }
  /// The value itself.
  var dbusSendText: String { get }
}

extension String: DBusSendArgument {
  var dbusSendType: String { "string:" }
  var dbusSendText: String { self }
}

extension ObjectPath: DBusSendArgument {
  var dbusSendType: String { "objpath:" }
  var dbusSendText: String { text }
}

extension UInt32: DBusSendArgument {
  var dbusSendType: String { "uint32:" }
  var dbusSendText: String { "\(self)" }
}

extension Int32: DBusSendArgument {
  var dbusSendType: String { "int32:" }
  var dbusSendText: String { "\(self)" }
}

/// An array, whose texts may not contain a comma, because dbus-send separates elements by commas.
extension [String]: DBusSendArgument {
  var dbusSendType: String { "array:string:" }
  var dbusSendText: String { joined(separator: ",") }
}
