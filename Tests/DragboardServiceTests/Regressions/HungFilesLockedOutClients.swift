import DBus
import DragboardInterface
import Files
import Foundation
import TestSupport
import Testing

@Suite(
  "Regression: hanging files locked out all new clients",
  .enabled(if: HungFileSystem.isPossible))
struct HungFilesLockedOutClients {
  let files: HungFileSystem

  init() throws { files = try HungFileSystem() }

  private func insertion(_ file: FileDescriptor) -> OutgoingMessage {
    call(BoardInterface.insertFile, 0, -1, "image/png", file)
  }

  /// Inserts the file from `count` clients, each of which leaves the bus without waiting for the
  /// answer.
  private func insertAndLeave(_ count: Int, _ daemon: Daemon) throws {
    for _ in 0..<count {
      let client = try daemon.client()
      // When its first call is answered, the client has been identified.
      _ = try client.get(BoardInterface.count)
      _ = client.send([insertion(try files.file())])
      client.leave()
    }
  }

  /// Waits until `count` reads hang.
  private func waitForReads(_ count: Int) throws {
    let deadline = ContinuousClock.now + .seconds(30)
    while files.reads < count {
      try #require(ContinuousClock.now < deadline, "\(files.reads) reads")
      usleep(1_000)
    }
  }

  @Test("A new client is identified and answered at once if it passes no hanging file")
  func newClients() throws {
    let daemon = try Daemon()
    try insertAndLeave(40, daemon)
    try waitForReads(16)
    let start = ContinuousClock.now
    let client = try daemon.client()
    // Only a client that is known to be outside of a sandbox may create a board.
    _ = try client.board("work")
    #expect(ContinuousClock.now - start < .seconds(3))
    // All other kinds of work continue.
    let bytes = [UInt8].sample(300_000)
    for file in [
      try TestFile.memory(bytes), try TestFile.sealed(bytes),
      try TestFile.regular(bytes, in: daemon.bus.home),
    ] {
      let row = try client.call(BoardInterface.insertFile, 0, -1, "image/png", file)
      expect(TestFile.rest(of: try client.call(BoardInterface.getFile, row, "*/*")), are: bytes)
      expect(try client.call(BoardInterface.getData, row, "*/*"), are: bytes)
    }
    try client.insert([String(repeating: "x", count: 100_000)])
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  private static let hasOverlays =
    (try? String(contentsOfFile: "/proc/filesystems", encoding: .utf8))?.contains("overlay")
    ?? false

  /// btrfs has no device number either; a test can mount an overlay without a disk.
  @Test(
    "A file on a file system without a device is read although all threads for others hang",
    .enabled(if: Self.hasOverlays))
  func overlay() throws {
    let daemon = try Daemon("--load-timeout", "1")
    let home = daemon.bus.home.path
    for name in ["a", "b", "mount"] { try #require(mkdir("\(home)/\(name)", 0o700) == 0) }
    try Data([1, 2, 3]).write(to: URL(fileURLWithPath: "\(home)/a/file"))
    let layers = "lowerdir=\(home)/a:\(home)/b"
    try #require(mount("overlay", "\(home)/mount", "overlay", UInt(MS_RDONLY), layers) == 0)
    defer { umount2("\(home)/mount", Int32(MNT_DETACH)) }
    try insertAndLeave(20, daemon)
    try waitForReads(16)
    let file = FileDescriptor(adopting: open("\(home)/mount/file", O_RDONLY | O_CLOEXEC))
    let client = try daemon.client()
    let row = try client.call(BoardInterface.insertFile, 0, -1, "image/png", file)
    #expect(try client.call(BoardInterface.getData, row, "*/*") == [1, 2, 3])
  }

  @Test(
    "A hanging file is refused after the load timeout, and its client's next call is answered")
  func deadline() throws {
    let daemon = try Daemon("--load-timeout", "0.4")
    let client = try daemon.client()
    let calls = [
      insertion(try files.file()), call(BoardInterface.insertText, 0, -1, "behind"),
      insertion(try files.file()), insertion(try files.file()),
      call(
        BoardInterface.insertFile, 0, -1, "image/png", try TestFile.memory(.sample(100_000))),
    ]
    let answers = client.send(calls).all()
    for number in [0, 2] {
      expect(.ioError, naming: "fd", "load-timeout") { _ = try answers[number].get() }
    }
    // The third file is not read, because one client may use at most two threads.
    expect(.ioError, naming: "fd", "2 other files") { _ = try answers[3].get() }
    #expect(files.reads == 2)
    for number in [1, 4] { #expect(throws: Never.self) { try answers[number].get() } }
    #expect(try client.rows().count == 2)
    // Another client, whose file can be read, does not wait.
    let other = try daemon.client()
    let row = try other.call(
      BoardInterface.insertFile, 0, -1, "image/png", try TestFile.memory(.sample(100_000)))
    #expect(try other.call(BoardInterface.getTypes, row) == ["image/png"])
  }

  @Test("When hanging files hold all their threads, another file is refused after the load timeout")
  func allThreads() throws {
    let daemon = try Daemon("--load-timeout", "0.4")
    try insertAndLeave(20, daemon)
    try waitForReads(16)
    let client = try daemon.client()
    expect(.limitsExceeded, naming: "fd", "16") {
      try client.wait(for: insertion(try files.file()))
    }
    #expect(files.reads == 16)
  }

  @Test("A hanging file of a drag is refused, and the drag stays active")
  func drag() throws {
    let daemon = try Daemon("--load-timeout", "0.4")
    let client = try daemon.client()
    let session = try client.beginDrag()
    _ = try client.call(DragSessionInterface.addItem, at: session, "")
    let file = try files.file()
    expect(.ioError, naming: "fd", "load-timeout") {
      try client.call(
        DragSessionInterface.registerFile, at: session, 0, "image/png", "all", file)
    }
    try client.register("image/png", "png", of: session)
    #expect(try client.loadData("image/png", of: session) == Array("png".utf8))
  }

  @Test("The daemon exits in time although files hang, and another one can use the same data")
  func departure() throws {
    let daemon = try Daemon("--load-timeout", "0.4")
    try daemon.client().insert(["row"])
    try insertAndLeave(4, daemon)
    try waitForReads(4)
    let start = ContinuousClock.now
    #expect(daemon.terminate().isSuccess)
    #expect(ContinuousClock.now - start < .seconds(10))
    try daemon.start()
    #expect(try daemon.client().texts() == ["row"])
  }
}
