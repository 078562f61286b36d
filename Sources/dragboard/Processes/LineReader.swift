import Glibc

/// A reader of a descriptor that returns each line as soon as it is complete.
struct LineReader {
  private let descriptor: Int32
  private var bytes: [UInt8] = []
  private var isAtEnd = false

  /// Creates a reader.
  ///
  /// The caller still owns `descriptor`.
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Waits for the next line.
  ///
  /// - Parameters:
  ///   - what: the name of the line in messages.
  ///   - process: the process that must not end during the wait; nil for none.
  ///   - interruption: the signals that interrupt the wait.
  /// - Returns: the line without its line feed; nil after the last line.
  /// - Throws: `interrupted`, `unexpected`, `late`, `system`.
  mutating func next(
    _ what: String, from process: ChildProcess? = nil, _ interruption: borrowing Interruption
  ) throws(Failure) -> String? {
    while true {
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) { return take(end) }
      if isAtEnd { return bytes.isEmpty ? nil : take(bytes.count) }
      try interruption.waitToRead(descriptor, what, from: process)
      try fill()
    }
  }

  /// Waits for the end of the output, and returns the remaining lines.
  ///
  /// - Throws: `interrupted`, `late`, `system`.
  mutating func rest(
    _ what: String, _ interruption: borrowing Interruption
  ) throws(Failure) -> [String] {
    var lines: [String] = []
    while let line = try next(what, interruption) { lines.append(line) }
    return lines
  }

  private mutating func fill() throws(Failure) {
    let count = withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      bytes += buffer.prefix(max(count, 0))
      return count
    }
    if count < 0, errno != EINTR { throw .system("read") }
    if count == 0 { isAtEnd = true }
  }

  private mutating func take(_ end: Int) -> String {
    defer { bytes.removeFirst(min(end + 1, bytes.count)) }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }
}
