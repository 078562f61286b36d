import CDBus
import Files
import Glibc

/// The incoming message queue of a connection.
///
/// It owns a connection of libdbus. libdbus connects to the bus and reads messages, but does not
/// call functions for them.
final class ReceiveQueue {
  /// The timeout of a call to the bus, as in libdbus.
  private static let busTimeout = Duration.seconds(25)

  private let raw: OpaquePointer
  private let watches: WatchTable
  /// The number of the socket.
  private var number: Int32 = -1
  /// The messages that were put back, or arrived during a blocking call to the bus, in order.
  private var deferred: [Message] = []

  /// Connects to the bus at `address`; nil means the session bus.
  init(to address: String?, on loop: EventLoop) throws(DBusError) {
    let raw = try LibraryError.check { error in
      if let address {
        dbus_connection_open_private(address, error)
      } else {
        dbus_bus_get_private(DBUS_BUS_SESSION, error)
      }
    }
    guard let raw else { throw DBusError(.noServer, "no connection to the bus") }
    self.raw = raw
    watches = WatchTable(loop)
    if address != nil { _ = try LibraryError.check { dbus_bus_register(raw, $0) } }
    dbus_connection_set_exit_on_disconnect(raw, 0)
    // Limit the descriptors of unhandled messages. libdbus stops reading as long as they exceed the
    // limit.
    dbus_connection_set_max_received_unix_fds(raw, max(16, DescriptorTable.limit / 8))
    watches.attach(to: raw)
    dbus_connection_get_unix_fd(raw, &number)
  }

  deinit {
    close()
    dbus_connection_unref(raw)
  }

  /// Ends the connection; messages that `next` has not returned are lost.
  func close() {
    watches.detach(from: raw)
    dbus_connection_close(raw)
  }

  /// The unique name that the bus assigned.
  var uniqueName: String { dbus_bus_get_unique_name(raw).map { String(cString: $0) } ?? "" }

  /// Returns a duplicate of the connection's socket, which can be watched separately.
  func socket() throws(DBusError) -> FileDescriptor {
    let socket = FileDescriptor(adopting: fcntl(number, F_DUPFD_CLOEXEC, 0))
    guard socket.number >= 0 else {
      throw DBusError(.limitsExceeded, "no file descriptor is left for a connection")
    }
    return socket
  }

  /// Continues to read while messages that were received exist, whatever their size.
  ///
  /// Otherwise libdbus stops reading at 63 MiB. The caller must limit the messages that wait.
  func readWhileMessagesWait() { dbus_connection_set_max_received_size(raw, 1 << 30) }

  // MARK: Messages

  /// Removes and returns the next message that has arrived.
  func next() -> Message? { deferred.isEmpty ? pop() : deferred.removeFirst() }

  /// Returns a message to the queue, where it is the next one again.
  func putBack(_ message: Message) { deferred.insert(message, at: 0) }

  /// Reads messages that have arrived since the last read; returns whether there are any.
  func readMore() -> Bool {
    dbus_connection_read_write(raw, 0)
    return dbus_connection_get_dispatch_status(raw) == DBUS_DISPATCH_DATA_REMAINS
  }

  /// Whether the socket has bytes that were not read.
  var hasUnreadBytes: Bool {
    var socket = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return poll(&socket, 1, 0) > 0
  }

  /// The number of sent bytes that the peer of the socket has not read, as the kernel counts them: a
  /// small message counts as about 1 KiB.
  var unreadSentByteCount: Int {
    var count: Int32 = 0
    return ioctl(number, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
  }

  /// Reads on this thread until the bus has answered a call; returns nil after the timeout, or if
  /// the connection is lost.
  ///
  /// Other messages that arrive are returned later, in order.
  func waitForAnswer(to call: PendingCall) -> Message? {
    let deadline = ContinuousClock.now + Self.busTimeout
    while true {
      while let message = pop() {
        guard message.replySerial != call.serial || message.sender != BusName.bus.text else {
          return message
        }
        deferred.append(message)
      }
      let milliseconds = Int32((deadline - .now) / .milliseconds(1))
      guard milliseconds > 0, dbus_connection_read_write(raw, milliseconds) != 0 else { return nil }
    }
  }

  private func pop() -> Message? {
    dbus_connection_pop_message(raw).map { Message(adopting: $0) }
  }
}
