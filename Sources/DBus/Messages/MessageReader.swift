import CDBus

/// A reader of a message's arguments.
///
/// The reader does not check types. `Message.arguments` checks the signature before it reads
/// `BusValue`s. libdbus has checked the bytes when the message arrived.
///
/// The reader does not use libdbus's iterators, which look for the type of each value in the
/// signature. A page of rows would take twice as many instructions.
///
/// Source: the D-Bus specification, "Marshaling".
public struct MessageReader {
  private let body: ReceivedBody
  /// The index of the next byte.
  ///
  /// Values are aligned to the first byte of the message.
  private var offset: Int
  /// The index of the end of the innermost array, or of the message.
  private var end: Int

  /// Creates a reader at the first argument.
  @usableFromInline
  init(_ message: Message) {
    body = ReceivedBody(message)
    (offset, end) = (body.start, body.bytes.count)
  }

  /// Whether no element is left in the innermost array, or no argument in the message.
  public var isAtEnd: Bool { offset >= end }

  // MARK: Basic types

  /// Reads a number in its memory layout.
  @inline(__always)
  mutating func number<Number: BitwiseCopyable>(_: Number.Type) -> Number {
    align(to: MemoryLayout<Number>.size)
    return body.bytes.load(fromByteOffset: skip(MemoryLayout<Number>.size), as: Number.self)
  }

  /// Reads a string or an object path.
  public mutating func string() -> String { text(ofCount: Int(number(UInt32.self))) }

  /// Reads a signature.
  mutating func signature() -> Signature {
    Signature(unchecked: text(ofCount: Int(number(UInt8.self))))
  }

  /// Returns a duplicate of the next descriptor; -1 without it, or if no descriptor is free.
  mutating func descriptor() -> Int32 {
    _ = number(UInt32.self)
    return body.nextDescriptor()
  }

  // MARK: Containers

  /// Reads an array, whose elements `content` reads; `alignment` is the alignment of an element.
  public mutating func array<Result, Failure: Error>(
    alignedTo alignment: Int, _ content: (inout MessageReader) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = end
    end = endOfArray(alignedTo: alignment)
    defer { (offset, end) = (end, outer) }
    return try content(&self)
  }

  /// Reads a struct or an entry of a dictionary, whose members `content` reads.
  public mutating func structure<Result, Failure: Error>(
    _ content: (inout MessageReader) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    align(to: 8)
    return try content(&self)
  }

  /// Reads a variant, whose value `content` reads.
  public mutating func variant<Result, Failure: Error>(
    _ content: (Signature, inout MessageReader) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let type = signature()
    return try content(type, &self)
  }

  /// Passes an array of numbers to `content` without copying it.
  mutating func numbers<Number: BitwiseCopyable, Result>(
    _: Number.Type, _ content: (UnsafeBufferPointer<Number>) -> Result
  ) -> Result {
    let last = endOfArray(alignedTo: MemoryLayout<Number>.size)
    let bytes = UnsafeRawBufferPointer(rebasing: body.bytes[offset..<last])
    offset = last
    return content(bytes.assumingMemoryBound(to: Number.self))
  }

  // MARK: Bytes

  @inline(__always)
  private mutating func align(to alignment: Int) {
    offset = (offset &+ alignment &- 1) & (0 &- alignment)
  }

  /// Passes bytes; returns the index of the first one.
  @inline(__always)
  private mutating func skip(_ count: Int) -> Int {
    precondition(count <= end &- offset, "libdbus has not checked the message")
    defer { offset &+= count }
    return offset
  }

  /// Reads a text and the U+0000 after it.
  private mutating func text(ofCount count: Int) -> String {
    let first = skip(count + 1)
    return String(
      decoding: UnsafeRawBufferPointer(rebasing: body.bytes[first..<first + count]), as: UTF8.self)
  }

  /// Reads the length of an array, and returns the index of its end.
  private mutating func endOfArray(alignedTo alignment: Int) -> Int {
    let count = Int(number(UInt32.self))
    align(to: alignment)
    precondition(count <= end &- offset, "libdbus has not checked the message")
    return offset + count
  }
}

/// The bytes of a received message, and its descriptors.
private final class ReceivedBody {
  /// All bytes of the message, in the order of bytes of this machine.
  let bytes: UnsafeRawBufferPointer
  /// The index of the first argument.
  let start: Int
  private let message: Message
  /// The places of the descriptors in the message, the last one first; nil before they are needed.
  private var descriptors: [DBusMessageIter]?

  /// Copies the bytes, because libdbus has no other function that returns them.
  ///
  /// Traps if there is no memory, because the process cannot answer without memory.
  init(_ message: Message) {
    self.message = message
    var bytes = Self.bytes(of: message)
    if bytes[0] != UInt8(ascii: 1.littleEndian == 1 ? "l" : "B") {
      // A foreign order of bytes. An iterator changes it.
      var iterator = DBusMessageIter()
      dbus_message_iter_init(message.raw, &iterator)
      dbus_free(UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      bytes = Self.bytes(of: message)
    }
    self.bytes = bytes
    // The length of the last part of the header, an array, follows 12 bytes. The header ends at a
    // multiple of 8.
    start = (16 + Int(bytes.load(fromByteOffset: 12, as: UInt32.self)) + 7) & ~7
  }

  deinit { dbus_free(UnsafeMutableRawPointer(mutating: bytes.baseAddress)) }

  private static func bytes(of message: Message) -> UnsafeRawBufferPointer {
    var bytes: UnsafeMutablePointer<CChar>?
    var count: Int32 = 0
    guard dbus_message_marshal(message.raw, &bytes, &count) != 0, let bytes else {
      preconditionFailure("no memory for a message")
    }
    return UnsafeRawBufferPointer(start: bytes, count: Int(count))
  }

  /// Returns a duplicate of the next descriptor; -1 without it, or if no descriptor is free.
  func nextDescriptor() -> Int32 {
    var left = descriptors ?? message.descriptorPlaces.reversed()
    guard var place = left.popLast() else { return -1 }
    descriptors = left
    var number: Int32 = -1
    dbus_message_iter_get_basic(&place, &number)
    return number
  }
}
