import CLinux
import Files
import Glibc

/// The messages of a connection that wait to be sent, in order.
///
/// libdbus would send each message with a system call of its own. This queue sends as many together as
/// one call takes. libdbus only reads, once the connection is made.
final class SendQueue {
  /// The most messages that one system call sends; each has two pieces, and the system takes 1,024.
  private static let maxMessages = 128
  /// The most memory that is kept for the headers of the next call.
  private static let maxKept = 64 << 10

  private let socket: FileDescriptor
  private let loop: EventLoop
  private var messages: [Entry] = []
  /// The index of the first message that has not been sent whole.
  private var first = 0
  /// How many bytes of the first message have been sent.
  private var sentCount = 0
  private var headers = WireBuffer()
  private var lastSerial: UInt32 = 1
  private var isWaiting = false
  /// About how many bytes the messages have that have not been sent whole.
  private var messageByteCount = 0
  /// How long the bus may take nothing while `finish` waits for it.
  var timeout = Duration.seconds(5)

  /// A message and its number; the same message may be sent several times.
  private struct Entry {
    let message: OutgoingMessage
    let serial: UInt32
  }

  /// Sends to a socket of its own, which the loop watches while it takes nothing.
  init(_ socket: FileDescriptor, _ loop: EventLoop) {
    self.socket = socket
    self.loop = loop
  }

  /// About how many bytes wait.
  var byteCount: Int { messageByteCount - sentCount }

  /// Appends a message and numbers it; libdbus has used the number 1 to make the connection.
  ///
  /// - Returns: the number.
  @discardableResult
  func append(_ message: OutgoingMessage) -> UInt32 {
    lastSerial = max(1, lastSerial &+ 1)
    messages.append(Entry(message: message, serial: lastSerial))
    messageByteCount += message.byteCount
    return lastSerial
  }

  // MARK: Sending

  /// Sends what the socket takes at once; the rest follows when it takes more.
  func flush() {
    if !isWaiting { send() }
  }

  /// Sends everything.
  ///
  /// If the bus takes nothing for `timeout`, the connection ends.
  func finish() {
    send()
    while first < messages.count {
      let milliseconds = Int32(min(timeout / .milliseconds(1), 1e9))
      guard clinux_wait_writable(socket.number, milliseconds) != 0 else { return close() }
      send()
    }
  }

  /// Drops what waits and ends the connection, of which libdbus closes another descriptor.
  func close() {
    removeAll()
    wait(false)
    shutdown(socket.number, Int32(SHUT_RDWR))
  }

  private func send() {
    while first < messages.count {
      let count = send(nextMessages)
      if count >= 0 {
        noteSent(count)
      } else if errno == EAGAIN {
        return wait(true)
      } else if errno != EINTR {
        guard sentCount == 0, messages[first].message.hasDescriptors else { return close() }
        // Too many descriptors are on their way, or the bus takes none: only their message is lost.
        removeFirst()
      }
    }
    removeAll()
    wait(false)
  }

  /// The messages that can be sent together.
  ///
  /// Descriptors go with the first byte of a system call, so a message with descriptors is sent alone.
  private var nextMessages: ArraySlice<Entry> {
    guard !messages[first].message.hasDescriptors else { return messages[first...first] }
    let end = min(messages.count, first + Self.maxMessages)
    return messages[first..<end].prefix { !$0.message.hasDescriptors }
  }

  private func send(_ entries: ArraySlice<Entry>) -> Int {
    headers.removeAll(keepingUpTo: Self.maxKept)
    for entry in entries { entry.message.writeHeader(to: &headers, serial: entry.serial) }
    let descriptors =
      sentCount == 0 ? entries[first].message.body.descriptors.map(\.number) : []
    return withUnsafeTemporaryAllocation(of: clinux_piece.self, capacity: 2 * entries.count) {
      pieces in
      headers.withBytes { headers in
        var (start, index, sent) = (0, 0, sentCount)
        for message in entries.lazy.map(\.message) {
          let end = start + message.headerByteCount
          pieces[index] = clinux_piece(headers[start..<end].dropFirst(sent))
          pieces[index + 1] = message.body.bytes.withBytes {
            clinux_piece($0.dropFirst(max(0, sent - message.headerByteCount)))
          }
          (start, index, sent) = (end, index + 2, 0)
        }
      }
      return clinux_send(
        socket.number, pieces.baseAddress, pieces.count, descriptors, descriptors.count)
    }
  }

  private func noteSent(_ count: Int) {
    sentCount += count
    while sentCount > 0, sentCount >= messages[first].message.wireByteCount {
      sentCount -= messages[first].message.wireByteCount
      removeFirst()
    }
  }

  private func removeFirst() {
    messageByteCount -= messages[first].message.byteCount
    first += 1
    // Sent messages are removed when they are the larger part: O(1) for each, on average.
    if first > Self.maxMessages, 2 * first > messages.count {
      messages.removeFirst(first)
      first = 0
    }
  }

  private func removeAll() {
    messages.removeAll(keepingCapacity: messages.count <= Self.maxMessages)
    (first, sentCount, messageByteCount) = (0, 0, 0)
  }

  /// Watches the socket until it takes bytes, or ends that.
  private func wait(_ isWanted: Bool) {
    guard isWanted != isWaiting else { return }
    isWaiting = isWanted
    guard isWanted else { return loop.unwatch(socket.number) }
    // epoll refuses a descriptor only if the kernel has no memory; then nothing can be served.
    try? loop.watch(socket.number, for: .writable) { [unowned self] _ in send() }
  }
}

extension clinux_piece {
  fileprivate init(_ bytes: Slice<UnsafeRawBufferPointer>) {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    self.init(start: bytes.baseAddress, count: bytes.count)
  }
}
