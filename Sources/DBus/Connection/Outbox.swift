import CLinux
import Glibc

/// What is on its way to the bus: whole messages in their order, written as fast as the socket takes them.
///
/// libdbus writes each message by a system call of its own; from here goes out together what a turn of the loop sends. libdbus reads,
/// and once the connection is made writes nothing by itself.
final class Outbox {
  private let socket: FileDescriptor
  private let loop: EventLoop
  private var parcels: [Parcel] = []
  /// A parcel that has gone out, for the next messages.
  private var spare: Parcel?
  private var lastSerial: UInt32 = 0
  private var isWaiting = false
  /// How many bytes have not gone out.
  private(set) var byteCount = 0
  /// How long the bus may take nothing while everything has to go out.
  var patience = Duration.seconds(5)

  /// Writes to a socket of its own, which is watched where it does not take everything at once.
  init(_ socket: FileDescriptor, _ loop: EventLoop) {
    self.socket = socket
    self.loop = loop
  }

  // MARK: Putting in

  /// Puts a message that is made here behind the others.
  ///
  /// - Returns: its serial; 0 of a message that was received.
  func put(_ message: Message) -> UInt32 {
    message.withContents { header, body in
      let parcel = Parcel.isAlone(body) ? newParcel() : openParcel()
      let serial = nextSerial()
      byteCount -= parcel.byteCount
      parcel.add(message, header, body, serial: serial)
      byteCount += parcel.byteCount
      return serial
    } ?? 0
  }

  /// libdbus numbers what it sends from 1 on; these numbers have the highest bit set.
  private func nextSerial() -> UInt32 {
    lastSerial &+= 1
    return lastSerial | 1 << 31
  }

  private func openParcel() -> Parcel {
    if let last = parcels.last, last.isOpen { return last }
    return newParcel()
  }

  private func newParcel() -> Parcel {
    let parcel = spare ?? Parcel()
    spare = nil
    parcels.append(parcel)
    return parcel
  }

  // MARK: Sending

  /// Writes what the socket takes at once; the rest goes out when it takes more.
  func flush() {
    if !parcels.isEmpty, !isWaiting { write() }
  }

  /// Writes everything, unless the bus is gone, or takes nothing for as long as patience lasts: then the connection ends.
  func finish() {
    write()
    while !parcels.isEmpty {
      guard clinux_wait_writable(socket.number, Int32(min(patience / .milliseconds(1), 1e9))) != 0
      else { return close() }
      write()
    }
  }

  /// Forgets what has not gone out, and ends the connection: libdbus closes a descriptor of it, and this is another one.
  func close() {
    parcels = []
    byteCount = 0
    wait(false)
    shutdown(socket.number, Int32(SHUT_RDWR))
  }

  private func write() {
    while let parcel = parcels.first {
      let count = parcel.send(to: socket.number)
      if count >= 0 {
        byteCount -= count
        if parcel.byteCount == 0 { removeFirst() }
      } else if errno == EAGAIN {
        return wait(true)
      } else if errno != EINTR {
        guard !parcel.isBegun, parcel.hasDescriptors else { return close() }
        // Where too many descriptors are on their way, or the bus takes none, only the message that bears them is lost.
        byteCount -= parcel.byteCount
        removeFirst()
      }
    }
    wait(false)
  }

  private func removeFirst() {
    let parcel = parcels.removeFirst()
    parcel.clear()
    spare = parcel
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
