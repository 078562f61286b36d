import DBus

extension Message {
  /// Returns the arguments of a signal; nil if the message is another signal or is malformed.
  func arguments<each C: BusValue>(
    of signal: SignalDeclaration<Arguments<repeat each C>>
  ) -> (repeat each C)? {
    guard member == signal.description.name.text else { return nil }
    return try? arguments(as: repeat (each C).self)
  }

  /// Returns the changed properties of an interface; nil if the message does not report any.
  func changedProperties(of interface: InterfaceName) -> Properties? {
    guard let (name, changed, _) = arguments(of: PropertiesInterface.changed),
      name == interface.text
    else { return nil }
    return Properties(changed)
  }
}
