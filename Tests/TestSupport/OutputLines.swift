import Foundation

/// The lines of a stream, read by a separate thread: the writer never blocks.
final class OutputLines: @unchecked Sendable {
  // Unchecked, because everything below is touched under the condition's lock alone.
  private let condition = NSCondition()
  private var bytes: [UInt8] = []
  private var taken = 0
  private var isAtEnd = false

  /// A stream that is at its end.
  init() { isAtEnd = true }

  /// Takes over `descriptor` and reads it to its end.
  init(reading descriptor: Int32) {
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        add(buffer.prefix(max(count, 0)))
        if count <= 0 { break }
      }
      close(descriptor)
    }
  }

  /// The next line that was not taken yet, without its line feed; nil at the end, or when
  /// `deadline` has passed.
  func next(before deadline: Date) -> String? {
    condition.withLock {
      while true {
        if let end = bytes[taken...].firstIndex(of: UInt8(ascii: "\n")) { return take(to: end) }
        if isAtEnd { return taken < bytes.count ? take(to: bytes.count) : nil }
        guard condition.wait(until: deadline) else { return nil }
      }
    }
  }

  /// Waits for the end; gives everything from the first byte on, lines that were taken included.
  func all() -> String {
    condition.withLock {
      while !isAtEnd { condition.wait() }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Waits for `text`; gives everything up to where it was found, nil at the end, or when
  /// `deadline` has passed.
  func all(until text: String, before deadline: Date) -> String? {
    condition.withLock {
      while true {
        let all = String(decoding: bytes, as: UTF8.self)
        if all.contains(text) { return all }
        guard !isAtEnd, condition.wait(until: deadline) else { return nil }
      }
    }
  }

  private func add(_ more: ArraySlice<UInt8>) {
    condition.withLock {
      bytes += more
      isAtEnd = more.isEmpty
      condition.broadcast()
    }
  }

  private func take(to end: Int) -> String {
    defer { taken = min(end + 1, bytes.count) }
    return String(decoding: bytes[taken..<end], as: UTF8.self)
  }
}
