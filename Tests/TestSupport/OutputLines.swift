import Files
import Foundation

/// The lines of a stream.
///
/// A separate thread reads them, so that the writer never blocks.
final class OutputLines: @unchecked Sendable {
  // `@unchecked` is safe, because only code with the condition's lock accesses the variables below.
  private let condition = NSCondition()
  private var bytes: [UInt8] = []
  private var taken = 0
  private var isAtEnd = false

  /// Creates the lines of an empty stream.
  init() { isAtEnd = true }

  /// Reads a descriptor to its end.
  init(reading descriptor: FileDescriptor) {
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(descriptor.number, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        add(buffer.prefix(max(count, 0)))
        if count <= 0 { break }
      }
    }
  }

  /// Returns the next line without its line feed; nil at the end of the stream or at the deadline.
  func next(before deadline: Date) -> String? {
    condition.withLock {
      while true {
        if let end = bytes[taken...].firstIndex(of: UInt8(ascii: "\n")) { return take(to: end) }
        if isAtEnd { return taken < bytes.count ? take(to: bytes.count) : nil }
        guard condition.wait(until: deadline) else { return nil }
      }
    }
  }

  /// Waits for the end; returns everything, including lines that were returned before.
  func all() -> String {
    condition.withLock {
      while !isAtEnd { condition.wait() }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Waits for `text`; returns everything up to its end, or nil at the end of the stream or at the
  /// deadline.
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
