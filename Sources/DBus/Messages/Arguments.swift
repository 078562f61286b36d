/// The types of a message's arguments, as a type without values.
///
/// `Arguments<String, UInt32>` has the signature `su`.
public struct Arguments<each Argument: BusValue> {
  private init() {}

  /// The types of the arguments, in order; empty without arguments.
  public static var signature: Signature {
    var text = ""
    for argument in repeat (each Argument).signature { text += argument.text }
    return Signature(unchecked: text)
  }
}

extension Message {
  /// Reads all arguments.
  ///
  /// - Throws: `invalidArgs` with both signatures if the message has other types.
  public func arguments<each Argument: BusValue>(
    as types: repeat (each Argument).Type
  ) throws(DBusError) -> (repeat each Argument) {
    let expected = Arguments<repeat each Argument>.signature
    guard hasSignature(expected) else {
      throw DBusError(
        .invalidArgs,
        "\(member ?? "message"): the arguments are of type '\(signature)' (expected '\(expected)')")
    }
    return try read(repeat each types)
  }

  /// Reads all arguments, whose types have been checked.
  func read<each Argument: BusValue>(
    _ types: repeat (each Argument).Type
  ) throws(DBusError) -> (repeat each Argument) {
    var reader = MessageReader(self)
    return (repeat try (each types).read(from: &reader))
  }
}
