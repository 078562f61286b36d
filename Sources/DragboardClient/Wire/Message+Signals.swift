import DBus

extension Message {
  /// The arguments of a signal; nil if this is another message, or cannot be read.
  func arguments<each C: BusValue>(
    of signal: SignalDeclaration<Arguments<repeat each C>>
  ) -> (repeat each C)? {
    guard member == signal.description.name.text else { return nil }
    return try? arguments(as: repeat (each C).self)
  }

  /// The new values of an interface's properties; nil if this is no such signal.
  func changedProperties(of interface: InterfaceName) -> Properties? {
    guard let (name, changed, _) = arguments(of: PropertiesInterface.changed),
      name == interface.text
    else { return nil }
    return Properties(changed)
  }
}
