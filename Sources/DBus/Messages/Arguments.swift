/// The types of a message's arguments, as a type of its own, never a value: `Arguments<String, UInt32>` is `su`.
public struct Arguments<each Argument: BusValue> {
  private init() {}

  /// The arguments' types in order; empty where there are none.
  public static var signature: Signature {
    var text = ""
    for argument in repeat (each Argument).signature { text += argument.text }
    return Signature(unchecked: text)
  }
}

extension Message {
  /// Reads all arguments.
  ///
  /// - Throws: `invalidArgs`, with the two signatures, where the message has other ones.
  public func arguments<each Argument: BusValue>(
    as types: repeat (each Argument).Type
  ) throws(DBusError) -> (repeat each Argument) {
    let expected = Arguments<repeat each Argument>.signature
    guard hasSignature(expected) else {
      throw DBusError(
        .invalidArgs,
        "the arguments are of type '\(signature)'; \(member ?? "this message") takes '\(expected)'")
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
