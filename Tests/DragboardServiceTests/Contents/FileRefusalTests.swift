import DBus
import DragboardInterface
import DragModel
import DragboardStore
import Files
import Foundation
import TestSupport
import Testing

@testable import DragboardService

@Suite("Files that are refused")
struct FileRefusalTests {
  let daemon: Daemon
  let client: BusClient
  let session: ObjectPath

  init() throws {
    daemon = try Daemon(
      "--max-representation-bytes", "200000", "--max-session-bytes", "400000", "--max-bytes",
      "500000")
    client = try daemon.client()
    session = try client.beginDrag(as: "")
    _ = try client.call(DragSessionInterface.addItem, at: session, "")
  }

  /// Returns the two ways to pass a file to the daemon.
  private func ways(
    _ file: FileDescriptor, as type: String = "image/png"
  ) -> [(name: String, call: () throws -> Void)] {
    [
      (
        "RegisterFile",
        { try client.call(DragSessionInterface.registerFile, at: session, 0, type, "all", file) }
      ),
      ("InsertFile", { _ = try client.call(BoardInterface.insertFile, 0, -1, type, file) }),
    ]
  }

  private func expectNothing(_ location: SourceLocation = #_sourceLocation) throws {
    #expect(
      try client.call(DragSessionInterface.getTypes, at: session, 0) == [], sourceLocation: location
    )
    #expect(try client.rows().isEmpty, sourceLocation: location)
    try client.waitForContentFiles(0, on: daemon.bus)
  }

  // MARK: Files that are not regular

  @Test("A file that is neither regular nor a memfd is refused, and the error names its kind")
  func kinds() throws {
    var pipe: [Int32] = [-1, -1]
    #expect(Foundation.pipe(&pipe) == 0)
    let sockets = try Self.sockets()
    let kinds: [(String, FileDescriptor)] = [
      ("pipe", FileDescriptor(adopting: pipe[0])), ("pipe", FileDescriptor(adopting: pipe[1])),
      ("directory", try Self.open(daemon.bus.home.path, O_RDONLY)),
      ("device", try Self.open("/dev/null", O_RDWR)),
      ("device", try Self.open("/dev/zero", O_RDONLY)),
      ("socket", sockets),
    ]
    for (kind, file) in kinds {
      for (name, call) in ways(file) {
        expect(.invalidArgs, naming: "fd", kind, "regular file", "memfd") {
          try call()
          Issue.record("\(name) took a \(kind)")
        }
      }
    }
    try expectNothing()
  }

  @Test("An unreadable file is refused")
  func unreadable() throws {
    let file = try TestFile.regular(.sample(10), in: daemon.bus.home)
    let memory = try TestFile.sealed(.sample(10))
    for unreadable in [
      try TestFile.reopened(file, O_WRONLY), try TestFile.reopened(file, O_WRONLY | O_APPEND),
      try TestFile.reopened(file, Self.pathOnly), try TestFile.reopened(memory, Self.pathOnly),
    ] {
      for (_, call) in ways(unreadable) {
        expect(.invalidArgs, naming: "fd", "read") { try call() }
      }
    }
    try expectNothing()
    for (_, call) in ways(try TestFile.reopened(file, O_RDONLY)) {
      #expect(throws: Never.self) { try call() }
    }
  }

  @Test(
    "A malformed argument, missing rights and an invalid state are reported in this order")
  func order() throws {
    let other = try daemon.client()
    let file = try TestFile.memory(.sample(300_000))
    let folder = try Self.open(daemon.bus.home.path, O_RDONLY)
    func register(
      _ client: BusClient, _ item: UInt32, _ type: String, _ visibility: String,
      _ file: FileDescriptor
    ) -> Result<Message, DBusError> {
      client.answers(to: [
        call(DragSessionInterface.registerFile, at: session, item, type, visibility, file)
      ])[0]
    }
    expect(.invalidArgs, naming: "type") {
      _ = try register(other, 9, "nonsense", "all", folder).get()
    }
    expect(.invalidArgs, naming: "visibility") {
      _ = try register(other, 9, "image/png", "some", folder).get()
    }
    expect(.invalidArgs, naming: "fd") {
      _ = try register(other, 9, "image/png", "all", folder).get()
    }
    expect(.accessDenied) { _ = try register(other, 9, "image/png", "all", file).get() }
    expect(.noSuchItem, naming: "item") {
      _ = try register(client, 9, "image/png", "all", file).get()
    }
    expect(.limitsExceeded) { _ = try register(client, 0, "image/png", "all", file).get() }
    try client.cancel(session)
    expect(.sessionEnded) { _ = try register(client, 0, "image/png", "all", file).get() }
  }

  // MARK: Limits

  @Test("A file above the limit of a representation is refused, sealed or not; its type stays free")
  func tooLarge() throws {
    let bytes = [UInt8].sample(200_001)
    for file in [
      try TestFile.sealed(bytes), try TestFile.memory(bytes),
      try TestFile.regular(bytes, in: daemon.bus.home),
    ] {
      for type in ["image/png", "text/plain"] {
        for (_, call) in ways(file, as: type) {
          expect(.limitsExceeded, naming: "fd", "max-representation-bytes", "200000") {
            try call()
          }
        }
      }
    }
    try expectNothing()
    for (_, call) in ways(try TestFile.memory(Array(bytes[..<200_000]))) {
      #expect(throws: Never.self) { try call() }
    }
  }

  @Test(
    "A file beyond the limits of a session, or of all sessions, is refused",
    arguments: [true, false])
  func tooMuch(isSealed: Bool) throws {
    func register(_ number: Int, _ count: Int, to session: ObjectPath) throws {
      let bytes = [UInt8].sample(count)
      try client.call(
        DragSessionInterface.registerFile, at: session, 0, "image/x-\(number)", "all",
        isSealed ? TestFile.sealed(bytes) : TestFile.memory(bytes))
    }
    let second = try client.beginDrag()
    _ = try client.call(DragSessionInterface.addItem, at: second, "")
    try register(1, 200_000, to: session)
    try register(2, 100_000, to: session)
    expect(.limitsExceeded, naming: "max-session-bytes", "400000") {
      try register(3, 100_001, to: session)
    }
    try register(4, 199_999, to: second)
    expect(.limitsExceeded, naming: "max-bytes", "500000") { try register(5, 2, to: second) }
    try register(5, 1, to: second)
    for (session, types) in [
      (session, ["image/x-1", "image/x-2"]), (second, ["image/x-4", "image/x-5"]),
    ] {
      #expect(try client.call(DragSessionInterface.getTypes, at: session, 0) == types)
    }
  }

  /// Returns the directory of contents of a store; small contents need no file.
  private func contents() throws -> ContentDirectory {
    try BoardStore(directory: daemon.bus.home.path + "/other").contents
  }

  private var hasContents: Bool {
    FileManager.default.fileExists(atPath: daemon.bus.home.path + "/other/contents")
  }

  @Test("A file that grows before it is read is read up to the limit")
  func growing() throws {
    let file = try TestFile.regular(.sample(10), in: daemon.bus.home)
    let taken = try ClientFile(argument: "fd", file)
    try TestFile.write(.sample(10, seed: 7), to: file, at: 10)
    let bytes = try taken.taken(as: .png, max: 20, in: contents(), argument: "fd")
    #expect(try bytes.read() == .sample(10) + .sample(10, seed: 7))
    try TestFile.write([1], to: file, at: 20)
    expect(.limitsExceeded, naming: "fd", "max-representation-bytes", "20") {
      _ = try taken.taken(as: .png, max: 20, in: contents(), argument: "fd")
    }
    #expect(!hasContents)
  }

  @Test("A file that shrinks before it is read has the length at the time of reading")
  func shrinking() throws {
    let file = try TestFile.regular(.sample(10), in: daemon.bus.home)
    let taken = try ClientFile(argument: "fd", file)
    #expect(ftruncate(file.number, 3) == 0)
    let bytes = try taken.taken(as: .png, max: 20, in: contents(), argument: "fd")
    #expect(try bytes.read() == Array([UInt8].sample(10)[..<3]))
    #expect(!hasContents)
  }

  // MARK: Text that is not UTF-8

  @Test("Plain text that is not UTF-8 is refused with the position of the first wrong byte")
  func invalidText() throws {
    let long = Array(String(repeating: "é", count: 50_000).utf8)
    for (bytes, place) in [
      ([0xFF], 0), ([0x61, 0xC3], 1), (long + [0x80], 100_000),
      (long + [0xF0, 0x9F, 0x98], 100_000),
      ([0x61] + long.dropLast(), 99_999),
    ] as [([UInt8], Int)] {
      for file in [
        try TestFile.sealed(bytes), try TestFile.memory(bytes),
        try TestFile.regular(bytes, in: daemon.bus.home),
      ] {
        for type in ["UTF8_STRING", "text/plain;charset=utf-8;format=flowed"] {
          for (_, call) in ways(file, as: type) {
            expect(.invalidArgs, naming: "fd", "UTF-8", "byte \(place) ") { try call() }
          }
        }
      }
    }
    try expectNothing()
    for (_, call) in ways(try TestFile.memory([0xFF]), as: "text/plain") {
      #expect(throws: Never.self) { try call() }
    }
  }

  /// O_PATH, which Glibc's module does not show.
  private static let pathOnly: Int32 = 0o10_000_000

  private static func open(_ path: String, _ flags: Int32) throws -> FileDescriptor {
    let file = FileDescriptor(adopting: Foundation.open(path, flags | O_CLOEXEC))
    try #require(file.number >= 0)
    return file
  }

  private static func sockets() throws -> FileDescriptor {
    let socket = FileDescriptor(
      adopting: Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
    try #require(socket.number >= 0)
    return socket
  }
}
