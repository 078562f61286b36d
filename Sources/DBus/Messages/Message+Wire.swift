import CDBus

// Messages as bytes: tests use them instead of a bus.

extension Message {
  /// Parses a message as the bus delivers it; returns nil if the bytes are not a message, or refer
  /// to file descriptors, which bytes cannot contain.
  ///
  /// The corresponding C function is `dbus_message_demarshal`.
  package convenience init?(wire bytes: UnsafeRawBufferPointer) {
    // The C function takes `char *` and only reads the bytes.
    guard let count = Int32(exactly: bytes.count),
      let raw = dbus_message_demarshal(
        bytes.assumingMemoryBound(to: CChar.self).baseAddress, count, nil)
    else { return nil }
    self.init(adopting: raw)
  }
}

extension OutgoingMessage {
  /// Returns the bytes of the message as they are sent with this serial, with the header after the
  /// header of another message; nil if the bus would reject it.
  package func wire(serial: UInt32, behind other: OutgoingMessage? = nil) -> [UInt8]? {
    guard !body.isTooLarge else { return nil }
    var headers = WireBuffer()
    other?.writeHeader(to: &headers, serial: 6)
    let start = headers.count
    writeHeader(to: &headers, serial: serial)
    return headers.withBytes { Array($0[start...]) } + body.bytes.withBytes { Array($0) }
  }
}
