import CLinux
import Files
import Glibc

/// The events for which a descriptor can be watched.
public struct Interest: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt32
  /// Creates a set from bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// A read returns bytes, the end of the file, or an error.
  public static let readable = Interest(rawValue: UInt32(CLINUX_READABLE))
  /// A write accepts bytes.
  public static let writable = Interest(rawValue: UInt32(CLINUX_WRITABLE))
  /// The other end is closed; always watched.
  public static let hungUp = Interest(rawValue: UInt32(CLINUX_HUNG_UP))
}

/// An epoll instance, and an eventfd with which other threads end its wait.
final class Poller {
  private let epoll: FileDescriptor
  private let bell: FileDescriptor
  private var handlers: [Int32: (Interest) -> Void] = [:]

  init() throws(SystemError) {
    epoll = FileDescriptor(adopting: clinux_epoll_create())
    bell = FileDescriptor(adopting: clinux_eventfd())
    guard epoll.number >= 0 else { throw SystemError("epoll_create1") }
    guard bell.number >= 0 else { throw SystemError("eventfd") }
    try set(bell.number, .readable) { [bell] _ in
      var count: UInt64 = 0
      _ = read(bell.number, &count, MemoryLayout.size(ofValue: count))
    }
  }

  func set(
    _ descriptor: Int32, _ interest: Interest, _ handler: @escaping (Interest) -> Void
  ) throws(SystemError) {
    guard clinux_epoll_set(epoll.number, descriptor, interest.rawValue) == 0 else {
      throw SystemError("epoll_ctl")
    }
    handlers[descriptor] = handler
  }

  func remove(_ descriptor: Int32) {
    guard handlers.removeValue(forKey: descriptor) != nil else { return }
    _ = clinux_epoll_remove(epoll.number, descriptor)
  }

  /// Ends the wait.
  ///
  /// Thread-safe.
  func wake() {
    var one: UInt64 = 1
    _ = write(bell.number, &one, MemoryLayout.size(ofValue: one))
  }

  /// Waits for at most this time (-1: forever), calls `onWake`, and then the handlers of ready
  /// descriptors.
  ///
  /// - Returns: whether nothing was ready; false if a signal interrupted the wait.
  func wait(_ milliseconds: Int32, onWake: () -> Void) -> Bool {
    withUnsafeTemporaryAllocation(of: clinux_event.self, capacity: 16) { ready in
      let count = clinux_epoll_wait(epoll.number, ready.baseAddress, 16, milliseconds)
      onWake()
      for event in ready.prefix(Int(max(count, 0))) {
        handlers[event.fd]?(Interest(rawValue: event.events))
      }
      return count == 0
    }
  }
}
