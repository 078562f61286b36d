import CLinux
import Glibc

/// What is on its way to the bus: whole messages in their order, written as fast as the socket takes them.
///
/// libdbus writes each message by a system call of its own; from here goes out together what a turn of the loop sends. libdbus reads,
/// and once the connection is made writes nothing by itself.
final class Outbox {
  private let socket: FileDescriptor
  private let loop: EventLoop
  private let queue: ParcelQueue
  private var lastSerial: UInt32 = 0
  private var isWaiting = false
  /// How long the bus may take nothing while everything has to go out.
  var patience = Duration.seconds(5)

  /// Writes to a socket of its own, which is watched where it does not take everything at once.
  init(_ socket: FileDescriptor, _ loop: EventLoop, _ supply: ParcelSupply) {
    self.socket = socket
    self.loop = loop
    queue = ParcelQueue(supply)
  }

  /// How many bytes have not gone out.
  var byteCount: Int { queue.byteCount }

  // MARK: Putting in

  /// A number for a message: libdbus numbers what it sends from 1 on; these have the highest bit set.
  func nextSerial() -> UInt32 {
    lastSerial &+= 1
    return lastSerial | 1 << 31
  }

  /// Puts a message that is made here behind the others.
  func put(_ message: Message, serial: UInt32) { queue.put(message, serial: serial) }

  /// Puts a message that `content` writes behind the others.
  ///
  /// - Returns: how large it is; nil of one that the bus would not carry, which is not put in.
  func put(
    _ header: MessageHeader, serial: UInt32, as types: Signature,
    _ content: (inout MessageWriter) -> Void
  ) -> MessageSize? {
    queue.put(header, serial: serial, as: types, content)?.size
  }

  /// Puts a message of a parcel behind the others.
  func put(bytes range: Range<Int>, of parcel: Parcel) { queue.put(bytes: range, of: parcel) }

  /// Puts parcels behind the others.
  func put(_ parcels: [Parcel]) { queue.put(parcels) }

  // MARK: Sending

  /// Writes what the socket takes at once; the rest goes out when it takes more.
  func flush() {
    if queue.ready != nil, !isWaiting { write() }
  }

  /// Writes everything but what is being written, unless the bus is gone, or takes nothing for as long as patience lasts: then the
  /// connection ends.
  func finish() {
    write()
    while queue.ready != nil {
      guard clinux_wait_writable(socket.number, Int32(min(patience / .milliseconds(1), 1e9))) != 0
      else { return close() }
      write()
    }
  }

  /// Forgets what has not gone out, and ends the connection: libdbus closes a descriptor of it, and this is another one.
  func close() {
    _ = queue.takeAll()
    wait(false)
    shutdown(socket.number, Int32(SHUT_RDWR))
  }

  private func write() {
    while let parcel = queue.ready {
      // One may be empty: what was to be written there is too large, or by itself.
      let count = parcel.byteCount == 0 ? 0 : parcel.send(to: socket.number)
      if count >= 0 {
        queue.noteSent(count)
        if parcel.byteCount == 0 { queue.removeFirst() }
      } else if errno == EAGAIN {
        return wait(true)
      } else if errno != EINTR {
        guard !parcel.isBegun, parcel.hasDescriptors else { return close() }
        // Where too many descriptors are on their way, or the bus takes none, only the message that bears them is lost.
        queue.removeFirst()
      }
    }
    if queue.parcels.isEmpty { wait(false) }
  }

  /// Watches the socket, or watches it no more.
  private func wait(_ isWanted: Bool) {
    guard isWanted != isWaiting else { return }
    isWaiting = isWanted
    guard isWanted else { return loop.unwatch(socket.number) }
    // epoll refuses a descriptor only where the kernel has no memory; then nothing can be served.
    try? loop.watch(socket.number, for: .writable) { [unowned self] _ in write() }
  }
}
