import CLinux
import Files
import Glibc

/// The outgoing message queue of a connection.
///
/// This queue sends many messages with one system call; libdbus would need a call for each message.
/// So libdbus only makes the connection and reads.
final class SendQueue {
  /// The maximum number of messages in one system call.
  ///
  /// Each message has two pieces, and the system accepts 1,024 pieces.
  private static let maxMessages = 128
  /// The maximum capacity in bytes that the header buffer retains for the next call.
  private static let maxKept = 64 << 10
  /// The maximum number of bytes whose sending is delayed.
  private static let maxDelayed = 64 << 10

  private let socket: FileDescriptor
  private let loop: EventLoop
  private var messages: [Entry] = []
  /// The index of the first incompletely sent message.
  private var first = 0
  /// The number of sent bytes of the first message.
  private var sentCount = 0
  private var headers = WireBuffer()
  private var lastSerial: UInt32 = 1
  private var isWaiting = false
  /// The approximate number of bytes of all incompletely sent messages.
  private var messageByteCount = 0
  /// The time after which `finish` ends the connection if the bus accepts no bytes.
  var timeout = Duration.seconds(5)
  /// Whether messages wait, to be sent together with later messages.
  var isDelayed = false

  /// A message and its number; the same message may be sent several times.
  private struct Entry {
    let message: OutgoingMessage
    let serial: UInt32
  }

  /// Creates a queue for a duplicate of the connection's socket.
  ///
  /// While the socket accepts no bytes, the loop watches it.
  init(_ socket: FileDescriptor, _ loop: EventLoop) {
    self.socket = socket
    self.loop = loop
  }

  /// The approximate number of waiting bytes.
  var byteCount: Int { messageByteCount - sentCount }

  /// The approximate number of bytes that were appended since the beginning.
  private(set) var appendedByteCount = 0

  /// Appends a message and assigns its serial.
  ///
  /// The first serial is 2: libdbus has used 1 to connect.
  ///
  /// - Returns: the serial.
  @discardableResult
  func append(_ message: OutgoingMessage) -> UInt32 {
    lastSerial = max(1, lastSerial &+ 1)
    messages.append(Entry(message: message, serial: lastSerial))
    messageByteCount += message.byteCount
    appendedByteCount += message.byteCount
    return lastSerial
  }

  // MARK: Sending

  /// Sends the bytes that the socket accepts at once; the rest follows later.
  func flush() {
    if !isWaiting, !messages.isEmpty { send() }
  }

  /// Calls `flush`, unless messages are delayed and few bytes wait.
  func flushUnlessDelayed() {
    if !isDelayed || byteCount > Self.maxDelayed { flush() }
  }

  /// Sends everything.
  ///
  /// If the bus accepts no bytes for `timeout`, the connection ends.
  func finish() {
    send()
    while first < messages.count {
      let milliseconds = Int32(min(timeout / .milliseconds(1), 1e9))
      guard clinux_wait_writable(socket.number, milliseconds) != 0 else { return close() }
      send()
    }
  }

  /// Drops the waiting messages and shuts the connection down.
  ///
  /// libdbus closes its own descriptor of the socket.
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
        // The socket accepts no descriptors, because too many are in transit, or because the bus
        // cannot receive any. Messages without descriptors can still be sent, so only this message
        // is dropped.
        removeFirst()
      }
    }
    removeAll()
    wait(false)
  }

  /// The messages that can be sent together.
  ///
  /// The system sends the descriptors of a system call with its first byte. So a message with
  /// descriptors is sent alone.
  private var nextMessages: ArraySlice<Entry> {
    let waiting = messages[first...].prefix(Self.maxMessages)
    let end = waiting.firstIndex { $0.message.hasDescriptors } ?? waiting.endIndex
    return waiting[..<max(end, first + 1)]
  }

  private func send(_ entries: ArraySlice<Entry>) -> Int {
    // The swaps keep the accesses to `self.headers` short. Swift checks a longer access for conflicts
    // at run time.
    var headers = WireBuffer()
    swap(&headers, &self.headers)
    defer { swap(&headers, &self.headers) }
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
    // Sent messages are removed when they are more than half of all messages, so that a removal is
    // O(1) for each message on average.
    if first > Self.maxMessages, 2 * first > messages.count {
      messages.removeFirst(first)
      first = 0
    }
  }

  private func removeAll() {
    messages.removeAll(keepingCapacity: messages.count <= Self.maxMessages)
    (first, sentCount, messageByteCount) = (0, 0, 0)
  }

  /// Starts or stops watching the socket for writing.
  private func wait(_ isWanted: Bool) {
    guard isWanted != isWaiting else { return }
    isWaiting = isWanted
    guard isWanted else { return loop.unwatch(socket.number) }
    // epoll refuses a descriptor only if the kernel has no memory. In this case nothing can be
    // served anyway.
    try? loop.watch(socket.number, for: .writable) { [unowned self] _ in send() }
  }
}

extension clinux_piece {
  fileprivate init(_ bytes: Slice<UnsafeRawBufferPointer>) {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    self.init(start: bytes.baseAddress, count: bytes.count)
  }
}
