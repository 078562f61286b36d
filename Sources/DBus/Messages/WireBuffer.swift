import Glibc

/// Bytes that grow at their end, where each value is put at its alignment.
///
/// Memory of its own rather than an array of bytes: putting a number behind the last one takes a fifth of the instructions.
struct WireBuffer: ~Copyable {
  private var start: UnsafeMutableRawPointer?
  private var capacity = 0
  /// How many bytes there are.
  private(set) var count = 0

  deinit { free(start) }

  /// Shows the bytes where they lie.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    body(UnsafeRawBufferPointer(start: start, count: count))
  }

  // MARK: Memory

  /// Where the next bytes go, with room for so many.
  @inline(__always)
  private mutating func room(for more: Int) -> UnsafeMutableRawPointer {
    if let start, capacity &- count >= more { return start + count }
    return grow(by: more)
  }

  /// Memory is the one thing that there may be none of; a process without any cannot answer anybody.
  @inline(never)
  private mutating func grow(by more: Int) -> UnsafeMutableRawPointer {
    capacity = max(2 * capacity, count + more, 128)
    guard let larger = realloc(start, capacity) else {
      preconditionFailure("there is no memory for a message")
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

  /// Where a value of that alignment will be.
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

  /// Appends four bytes, where a number of as many could stand.
  @inline(__always)
  mutating func append(bytes first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) {
    let bytes =
      UInt32(first) | UInt32(second) << 8 | UInt32(third) << 16 | UInt32(fourth) << 24
    append(bytes.littleEndian)
  }

  /// Appends bytes as they are.
  mutating func append(contentsOf more: UnsafeRawBufferPointer) {
    guard let first = more.baseAddress, !more.isEmpty else { return }
    room(for: more.count).copyMemory(from: first, byteCount: more.count)
    count &+= more.count
  }

  /// Appends a string or an object path: its length, its bytes, and a U+0000.
  mutating func append(text utf8: UnsafeBufferPointer<UInt8>) {
    append(UInt32(truncatingIfNeeded: utf8.count))
    append(contentsOf: UnsafeRawBufferPointer(utf8))
    append(UInt8(0))
  }

  /// Appends a signature, which ends at 255 bytes: likewise, but for a length of one byte.
  mutating func append(signature text: String) {
    var text = text
    text.withUTF8 { utf8 in
      append(UInt8(truncatingIfNeeded: utf8.count))
      append(contentsOf: UnsafeRawBufferPointer(utf8))
      append(UInt8(0))
    }
  }

  /// Puts a number in place of one that was appended.
  mutating func replace(at offset: Int, with number: UInt32) {
    start?.storeBytes(of: number, toByteOffset: offset, as: UInt32.self)
  }
}
