import DBus
import DragModel
import DragboardInterface
import Files
import Foundation
import TestSupport
import Testing

@testable import DragboardService
@testable import DragboardStore

@Suite("Copies of large contents that clients have as files")
struct ClientCopyTests {
  /// A watch that reports the end of files when the test says so.
  ///
  /// Many tests with buses together can use up the kernel's watches.
  private final class ManualWatch: FileEndWatch {
    private var bodies: [() -> Void] = []

    func onEnd(of file: FileDescriptor, _ body: @escaping () -> Void) -> Bool {
      bodies.append(body)
      return true
    }
    func update() {}

    /// Reports the end of the oldest files.
    func end(_ count: Int) {
      for body in bodies.prefix(count) { body() }
      bodies.removeFirst(count)
    }
  }

  private let local: LocalService
  private let watch = ManualWatch()
  private let copies: ClientCopies
  private let failingCopies: ClientCopies

  init() throws {
    local = try LocalService()
    // The contents count as large, but the test makes only small copies.
    let contents = local.store.contents
    copies = ClientCopies(local.service.scheduler, watch: watch, contents: contents) {
      _, _ throws(StoreError) in
      do throws(FileError) { return try MemoryFile.sealed(holding: [1]) } catch {
        throw .file(error)
      }
    }
    failingCopies = ClientCopies(local.service.scheduler, watch: watch, contents: contents) {
      _, _ throws(StoreError) in
      throw .unreadable("content: unreadable")
    }
  }

  private func access(
    _ number: Int, _ confinement: Confinement = .unsandboxed
  ) -> BoardAccess {
    BoardAccess(
      of: Caller(uniqueName: ":1.\(number)", confinement: confinement), opensContents: false)
  }

  /// Opens a content of that size for a client.
  private func open(
    _ byteCount: Int = 65_537, for client: BoardAccess, from copies: ClientCopies? = nil
  ) throws(DBusError) {
    let file = ContentFile(
      published: ContentID(), byteCount: byteCount, sum: nil,
      in: local.store.contents)
    var result: Result<FileDescriptor, DBusError>?
    (copies ?? self.copies).open(.file(file), for: client) { result = $1 }
    local.loop.wait { result != nil }
    _ = try (result ?? .failure(DBusError(.noReply, "none"))).get()
  }

  @Test("A client has at most 64 copies; closing a copy makes room for another")
  func count() throws {
    for _ in 0..<64 { try open(for: access(1)) }
    expect(.limitsExceeded, naming: "fd", "64 open files", "close") { try open(for: access(1)) }
    try open(for: access(2))
    watch.end(1)
    try open(for: access(1))
    expect(.limitsExceeded) { try open(for: access(1)) }
  }

  @Test("The copies of a client have at most 1 GiB, or there is one larger copy")
  func bytes() throws {
    try open((1 << 30) + 1, for: access(1))
    expect(.limitsExceeded, naming: "\((1 << 30) + 1) bytes") { try open(for: access(1)) }
    watch.end(1)
    for _ in 0..<4 { try open(256 << 20, for: access(1)) }
    expect(.limitsExceeded) { try open(for: access(1)) }
  }

  @Test("All clients together have at most 256 copies of 4 GiB")
  func total() throws {
    for number in 0..<256 { try open(for: access(number / 64)) }
    expect(.limitsExceeded, naming: "all clients") { try open(for: access(5)) }
    watch.end(256)
    for number in 0..<16 { try open(256 << 20, for: access(number / 4)) }
    expect(.limitsExceeded, naming: "all clients") { try open(for: access(5)) }
  }

  @Test("The copies of all connections of a sandbox count together")
  func sandbox() throws {
    let sandbox = Confinement.sandboxed(try ApplicationID("org.example.App"))
    for number in 0..<64 { try open(for: access(number, sandbox)) }
    expect(.limitsExceeded) { try open(for: access(99, sandbox)) }
    try open(for: access(99))
  }

  @Test("A copy that could not be made does not count")
  func failures() throws {
    for _ in 0..<300 {
      expect(.ioError) {
        try open(1 << 29, for: access(1), from: failingCopies)
      }
    }
    try open(for: access(1))
  }

  @Test("A file ends when no process has a descriptor of it or has it mapped")
  func references() async throws {
    let watch = InotifyWatch(local.loop)
    var file: FileDescriptor? = try MemoryFile.sealed(holding: [1])
    var duplicate = file.map { FileDescriptor(adopting: fcntl($0.number, F_DUPFD_CLOEXEC, 0)) }
    var isOver = false
    let deadline = ContinuousClock.now + .seconds(300)
    while let file, !watch.onEnd(of: file, { isOver = true }) {
      // The buses of other tests may use all watches of this user.
      try #require(ContinuousClock.now < deadline, "no watch is free")
      try await Task.sleep(for: .milliseconds(50))
    }
    let map = try #require(
      duplicate.flatMap { mmap(nil, 1, PROT_READ, MAP_PRIVATE, $0.number, 0) })
    try #require(map != MAP_FAILED)
    file = nil
    watch.update()
    #expect(!isOver)
    duplicate = nil
    watch.update()
    #expect(!isOver)
    munmap(map, 1)
    while !isOver {
      try #require(ContinuousClock.now < deadline)
      watch.update()
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  // MARK: On the disk

  private static let bytes = [UInt8].sample(300_000)

  /// Starts a daemon on that disk, and inserts a large row.
  private func scene(_ disk: Refuser) throws -> (daemon: Daemon, client: BusClient, item: String) {
    let bus = try PrivateBus()
    let folder = bus.home.path + "/data/dragboard/contents"
    let daemon = try Daemon([], environment: disk.environment(folder), on: bus)
    let client = try daemon.client()
    let item = try client.call(
      BoardInterface.insertData, 0, -1, "application/octet-stream", Self.bytes)
    return (daemon, client, item)
  }

  @Test(
    "A file system without unnamed files or without copies gives the same result")
  func fallbacks() throws {
    let disk = try Refuser()
    let (daemon, client, item) = try scene(disk)
    for calls in [Refuser.Calls.names, .copies] {
      disk.refuse(calls, .EOPNOTSUPP, count: 1)
      let file = try client.call(BoardInterface.getFile, item, "*/*")
      #expect(disk.relent() == 1)
      #expect(TestFile.offset(of: file) == 0)
      #expect(fcntl(file.number, F_GETFL) & O_ACCMODE == O_RDONLY)
      expect(TestFile.rest(of: file), are: Self.bytes)
      #expect(try contentFiles(in: daemon.bus).count == 1)
    }
  }

  @Test(
    "If the disk has no room for a copy, reads continue",
    arguments: [POSIXErrorCode.ENOSPC, .EROFS])
  func fullDisk(error: POSIXErrorCode) throws {
    let disk = try Refuser()
    let (daemon, client, item) = try scene(disk)
    disk.refuse(.names, error)
    let file = try client.call(BoardInterface.getFile, item, "*/*")
    #expect(disk.relent() > 0)
    #expect(TestFile.offset(of: file) == 0)
    #expect(fcntl(file.number, F_GETFL) & O_ACCMODE == O_RDONLY)
    expect(TestFile.rest(of: file), are: Self.bytes)
    #expect(try contentFiles(in: daemon.bus).count == 1)
  }

  @Test("A copy costs the daemon neither a descriptor nor memory")
  func cost() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let item = try client.call(
      BoardInterface.insertFile, 0, -1, "image/png", try TestFile.sealed(zeros: 200 << 20))
    let descriptors = "/proc/\(daemon.id)/fd"
    let memory = daemon.kibibytes("VmHWM")
    let before = try FileManager.default.contentsOfDirectory(atPath: descriptors).count
    let file = try client.call(BoardInterface.getFile, item, "*/*")
    #expect(TestFile.identity(of: file).last == 200 << 20)
    let small = try client.call(BoardInterface.insertData, 0, -1, "image/png", Self.bytes)
    let files = try (0..<20).map { _ in
      let file = try client.call(BoardInterface.getFile, small, "*/*")
      return file
    }
    let after = try FileManager.default.contentsOfDirectory(atPath: descriptors).count
    #expect(after < before + files.count / 2)
    #expect(daemon.kibibytes("VmHWM") <= memory + 16 << 10)
  }
}
