import CDBus

// Messages as bytes: tests use them in place of a bus.

extension Message {
  /// Reads a message as the bus delivers it; nil if the bytes are no message, or refer to file
  /// descriptors, which bytes cannot carry.
  ///
  /// The corresponding C function is `dbus_message_demarshal`.
  package convenience init?(wire bytes: UnsafeRawBufferPointer) {
    // Bytes are bytes to C, and it only reads them.
    guard let count = Int32(exactly: bytes.count),
      let raw = dbus_message_demarshal(
        bytes.assumingMemoryBound(to: CChar.self).baseAddress, count, nil)
    else { return nil }
    self.init(adopting: raw)
  }
}

extension OutgoingMessage {
  /// The bytes of the message as they are sent under that number, with the header written behind that
  /// of another message; nil if the bus would not carry it.
  package func wire(serial: UInt32, behind other: OutgoingMessage? = nil) -> [UInt8]? {
    guard !body.isTooLarge else { return nil }
    var headers = WireBuffer()
    other?.writeHeader(to: &headers, serial: 6)
    let start = headers.count
    writeHeader(to: &headers, serial: serial)
    return headers.withBytes { Array($0[start...]) } + body.bytes.withBytes { Array($0) }
  }
}
