import DBus
import Files
import Foundation
import Synchronization
import Testing

/// A file system in user space (FUSE) whose files can be opened, but whose reads never end.
///
/// The file system ends with this object. The name of a file is its number.
///
/// Source: linux/fuse.h.
final class HungFileSystem {
  private let path: String
  private let server: Server
  private var files = 0

  /// Whether this process may mount this file system.
  static let isPossible = (try? HungFileSystem()) != nil

  /// Mounts the file system.
  ///
  /// - Parameter readsDirectly: whether reads bypass the page cache. The kernel cannot interrupt such
  ///   a read, not even to end its process.
  /// - Throws: the system's error if it cannot be mounted.
  init(readsDirectly: Bool = false) throws {
    path = FileManager.default.temporaryDirectory.path + "/hung-\(UUID().uuidString)"
    server = Server(
      open("/dev/fuse", O_RDWR | O_CLOEXEC | O_NONBLOCK), readsDirectly: readsDirectly)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let options = "fd=\(server.device),rootmode=40000,user_id=0,group_id=0"
    guard mount("hung", path, "fuse", UInt(MS_NOSUID | MS_NODEV), options) == 0 else {
      let error = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM)
      close(server.device)
      try? FileManager.default.removeItem(atPath: path)
      throw error
    }
    Thread.detachNewThread { [server] in server.serve() }
  }

  /// Ends every read with an error.
  deinit {
    server.stop()
    umount2(path, Int32(MNT_DETACH))
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Returns a descriptor of a new file, open for reading.
  func file() throws -> FileDescriptor {
    files += 1
    let file = FileDescriptor(adopting: open("\(path)/\(files)", O_RDONLY | O_CLOEXEC))
    try #require(file.number >= 0)
    return file
  }

  /// The number of files with a pending read.
  var reads: Int { server.reads }
}

/// The server of the file system: a thread.
private final class Server: Sendable {
  private struct State {
    var isOver = false
    /// The nodes of the files with a pending read.
    var read: Set<UInt64> = []
  }

  /// A request of the kernel; its operation is one of `enum fuse_opcode`.
  private struct Request {
    let operation: UInt32
    let number: UInt64
    let node: UInt64
    let text: String

    init?(_ bytes: [UInt8], count: Int) {
      guard count >= 40 else { return nil }
      (operation, number, node) = bytes.withUnsafeBytes {
        (
          $0.load(fromByteOffset: 4, as: UInt32.self), $0.load(fromByteOffset: 8, as: UInt64.self),
          $0.load(fromByteOffset: 16, as: UInt64.self)
        )
      }
      text = String(decoding: bytes[40..<count].prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  let device: Int32
  private let openFlags: UInt32
  private let state = Mutex(State())
  private let hasEnded = DispatchSemaphore(value: 0)

  init(_ device: Int32, readsDirectly: Bool) {
    self.device = device
    // FOPEN_DIRECT_IO
    openFlags = readsDirectly ? 1 : 0
  }

  var reads: Int { state.withLock(\.read.count) }

  func stop() {
    state.withLock { $0.isOver = true }
    hasEnded.wait()
    close(device)
  }

  func serve() {
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    while !state.withLock(\.isOver) {
      var waiting = pollfd(fd: device, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, 20) > 0 else { continue }
      let count = read(device, &bytes, bytes.count)
      guard let request = Request(bytes, count: count), let (error, body) = answer(to: request)
      else { continue }
      let answer = words(UInt32(16 + body.count)) + words(error) + words(request.number) + body
      _ = write(device, answer, answer.count)
    }
    hasEnded.signal()
  }

  /// Returns the answer to a request; nil if the request gets none.
  private func answer(to request: Request) -> (error: Int32, body: [UInt8])? {
    switch request.operation {
    case 15:  // READ
      state.withLock { _ = $0.read.insert(request.node) }
      return nil
    case 2, 36, 42:  // FORGET, INTERRUPT, BATCH_FORGET
      return nil
    case 26:  // INIT: version 7.31, up to 1,000 reads in the background, 128 KiB at once
      let limits = words(1_000 as UInt16, 900) + words(128 << 10 as UInt32, 1)
      return (0, words(7 as UInt32, 31, 0, 1) + limits + [UInt8](repeating: 0, count: 36))
    case 1:  // LOOKUP: valid for an hour
      let node = 1 + (UInt64(request.text) ?? 1)
      return (0, words(node, 0, 3_600, 3_600) + words(0 as UInt32, 0) + attributes(of: node))
    case 3:  // GETATTR
      return (0, words(3_600 as UInt64) + words(0 as UInt32, 0) + attributes(of: request.node))
    case 14, 27:  // OPEN, OPENDIR
      return (0, words(0 as UInt64) + words(openFlags, 0))
    case 25, 18, 29:  // FLUSH, RELEASE, RELEASEDIR
      return (0, [])
    default: return (-ENOSYS, [])
    }
  }

  private func attributes(of node: UInt64) -> [UInt8] {
    let mode: UInt32 = node == 1 ? 0o040755 : 0o100644
    return words(node, 300_000, 0, 0, 0, 0) + words(0 as UInt32, 0, 0, mode, 1, 0, 0, 0, 4_096, 0)
  }

  private func words<Word: FixedWidthInteger>(_ words: Word...) -> [UInt8] {
    words.withUnsafeBytes { Array($0) }
  }
}
