import CDBus

// Messages as bytes: what a test has in place of a bus.

extension Message {
  /// Reads a message as the bus brings it; nil where the bytes are none, or name descriptors, which bytes do not bring.
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

  /// The bytes of a message that is made here, as they go out under that number; nil of one that was received, and of one that the
  /// bus would not carry.
  package func wire(serial: UInt32) -> [UInt8]? {
    guard !isTooLarge else { return nil }
    return withContents { header, body in
      var bytes = WireBuffer()
      header.write(
        to: &bytes, serial: serial, signature: body.signature, byteCount: body.byteCount,
        descriptorCount: body.descriptors.count)
      body.bytes.withBytes { bytes.append(contentsOf: $0) }
      return bytes.withBytes { Array($0) }
    }
  }

  /// The bytes of the answer to this call with those arguments, under the number 7, as they go out behind a message whose text has so many
  /// letters; nil of an answer that the bus would not carry.
  package func wireAnswer<each Argument: BusValue>(
    behind count: Int, _ arguments: repeat each Argument
  ) -> [UInt8]? {
    let parcel = Parcel()
    _ = parcel.write(.signal("Member", of: "a.b", from: "/"), serial: 6, as: String.signature) {
      $0.append(String(repeating: "x", count: count))
    }
    let start = parcel.end
    let outcome = parcel.write(
      .reply(to: serial, from: sender), serial: 7, as: Arguments<repeat each Argument>.signature
    ) { writer in
      repeat (each arguments).write(to: &writer)
    }
    guard case .written = outcome else { return nil }
    return parcel.withBytes { Array($0[start...]) }
  }
}
