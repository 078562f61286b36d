import DBus
import DragboardInterface

extension ItemAttributes {
  init(_ wire: WireItemAttributes) {
    self.init(
      name: wire.name, modified: wire.modified.map { .microseconds(Int64(clamping: $0)) },
      application: wire.application, stack: wire.stack, mode: wire.mode)
  }

  /// The attributes on the wire.
  ///
  /// A time before 1970 is omitted.
  var wire: WireItemAttributes {
    WireItemAttributes(
      name: name, modified: modified.flatMap(\.microseconds), application: application,
      stack: stack, mode: mode)
  }

  /// Returns the attributes of a new row on the wire.
  func wire(isFromClipboard: Bool) -> [String: Variant] {
    var wire = wire.wire
    wire["source"] = isFromClipboard ? Variant(.string(ClipboardInterface.rowSource)) : nil
    return wire
  }
}

extension Duration {
  /// The duration in whole microseconds; nil if the duration is negative or too long.
  var microseconds: UInt64? {
    let (seconds, attoseconds) = components
    guard 0...(.max / 1_000_000 - 1) ~= seconds, attoseconds >= 0 else { return nil }
    return UInt64(seconds) * 1_000_000 + UInt64(attoseconds / 1_000_000_000_000)
  }
}
