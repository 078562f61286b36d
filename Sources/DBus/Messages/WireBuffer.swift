import Glibc

/// A growing buffer of bytes, in which each value is appended at its alignment.
///
/// The buffer allocates its memory, because appending a number to an array of bytes would take five
/// times as many instructions.
struct WireBuffer: ~Copyable {
  private var start: UnsafeMutableRawPointer?
  private var capacity = 0
  private(set) var count = 0

  deinit { free(start) }

  /// Calls `body` with the bytes, without copying them.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(UnsafeRawBufferPointer(start: start, count: count))
  }

  // MARK: Memory

  /// Returns the end of the buffer, after reserving memory for more bytes.
  @inline(__always)
  private mutating func room(for more: Int) -> UnsafeMutableRawPointer {
    if let start, capacity &- count >= more { return start + count }
    return grow(by: more)
  }

  /// Grows the buffer.
  ///
  /// Traps if there is no memory, because the process cannot answer without memory.
  @inline(never)
  private mutating func grow(by more: Int) -> UnsafeMutableRawPointer {
    capacity = max(2 * capacity, count + more, 128)
    guard let larger = realloc(start, capacity) else {
      preconditionFailure("no memory for a message")
    }
    start = larger
    return larger + count
  }

  /// Removes all bytes; keeps the memory if it is at most `maxKept` bytes.
  mutating func removeAll(keepingUpTo maxKept: Int) {
    count = 0
    guard capacity > maxKept else { return }
    free(start)
    start = nil
    capacity = 0
  }

  // MARK: Values

  private func padding(to alignment: Int) -> Int { (0 &- count) & (alignment &- 1) }

  /// Returns the offset of the next value with this alignment.
  func count(alignedTo alignment: Int) -> Int { count + padding(to: alignment) }

  /// Appends zeros until the next byte is at a multiple of `alignment`, a power of two up to 8.
  @inline(__always)
  mutating func align(to alignment: Int) {
    let padding = padding(to: alignment)
    guard padding > 0 else { return }
    room(for: 8).storeBytes(of: 0, as: UInt64.self)
    count &+= padding
  }

  /// Appends a number at its alignment.
  @inline(__always)
  mutating func append<Number: BitwiseCopyable>(_ number: Number) {
    align(to: MemoryLayout<Number>.size)
    room(for: MemoryLayout<Number>.size).storeBytes(of: number, as: Number.self)
    count &+= MemoryLayout<Number>.size
  }

  /// Appends four bytes, aligned like a 32-bit number.
  @inline(__always)
  mutating func append(bytes first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) {
    let bytes =
      UInt32(first) | UInt32(second) << 8 | UInt32(third) << 16 | UInt32(fourth) << 24
    append(bytes.littleEndian)
  }

  /// Appends bytes without alignment.
  mutating func append(contentsOf more: UnsafeRawBufferPointer) {
    guard let first = more.baseAddress, !more.isEmpty else { return }
    room(for: more.count).copyMemory(from: first, byteCount: more.count)
    count &+= more.count
  }

  /// Reserves memory for more bytes, which are appended at once.
  mutating func reserve(_ more: Int) { _ = room(for: more) }

  /// Appends a string of ASCII characters of a known length, which `write` writes.
  @inline(__always)
  mutating func append(asciiCount: Int, _ write: (UnsafeMutableRawPointer) -> Void) {
    append(UInt32(truncatingIfNeeded: asciiCount))
    let start = room(for: asciiCount &+ 1)
    write(start)
    start.storeBytes(of: 0, toByteOffset: asciiCount, as: UInt8.self)
    count &+= asciiCount &+ 1
  }

  /// Appends a string or an object path: its length, its bytes, and a U+0000.
  mutating func append(text utf8: UnsafeBufferPointer<UInt8>) {
    append(UInt32(truncatingIfNeeded: utf8.count))
    append(contentsOf: UnsafeRawBufferPointer(utf8))
    append(UInt8(0))
  }

  /// Appends a signature of at most 255 bytes: its length as one byte, its bytes, and a U+0000.
  mutating func append(signature text: String) {
    var text = text
    text.withUTF8 { utf8 in
      append(UInt8(truncatingIfNeeded: utf8.count))
      append(contentsOf: UnsafeRawBufferPointer(utf8))
      append(UInt8(0))
    }
  }

  mutating func replace(at offset: Int, with number: UInt32) {
    start?.storeBytes(of: number, toByteOffset: offset, as: UInt32.self)
  }
}
