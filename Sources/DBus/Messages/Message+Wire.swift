import CDBus

// Conversions between messages and bytes, for tests without a bus.

extension Message {
  /// Parses the bytes of a message; returns nil if they are not a valid message.
  ///
  /// Bytes that refer to file descriptors are invalid, because they cannot contain descriptors.
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
  /// Returns the bytes of the message as sent with this serial; nil if the bus would reject it.
  ///
  /// The header is written after the header of `other` into the same buffer, because the send queue
  /// does this, too.
  package func wire(serial: UInt32, behind other: OutgoingMessage? = nil) -> [UInt8]? {
    guard !body.isTooLarge else { return nil }
    var headers = WireBuffer()
    other?.writeHeader(to: &headers, serial: 6)
    let start = headers.count
    writeHeader(to: &headers, serial: serial)
    let arguments = body.bytes.withBytes { Array($0) }
    return headers.withBytes { Array($0[start...]) } + arguments
  }
}
