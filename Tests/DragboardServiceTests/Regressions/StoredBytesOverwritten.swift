import DBus
import DragboardInterface
import Files
import Foundation
import TestSupport
import Testing

@Suite(
  "Regression: a client could overwrite stored bytes through a descriptor that it got")
struct StoredBytesOverwritten {
  let daemon: Daemon
  let client: BusClient

  init() throws {
    daemon = try Daemon()
    client = try daemon.client()
  }

  private static let bytes = [UInt8].sample(300_000)

  /// Tries to overwrite the file of a descriptor in every way that the owner of the descriptor has.
  private func overwrite(_ file: FileDescriptor) {
    _ = fchmod(file.number, 0o600)
    let path = "/proc/self/fd/\(file.number)"
    for target in [file, FileDescriptor(adopting: open(path, O_RDWR | O_CLOEXEC))] {
      _ = ftruncate(target.number, 10)
      _ = pwrite(target.number, [UInt8]("overwritten".utf8), 11, 0)
    }
  }

  /// Expects that a descriptor's file is not in the data directory and cannot be linked into it.
  private func expectForeign(
    _ file: FileDescriptor, _ name: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    var status = stat()
    try #require(fstat(file.number, &status) == 0)
    #expect(status.st_nlink == 0, "\(name)", sourceLocation: location)
    let linked = daemon.bus.home.path + "/linked"
    let path = "/proc/self/fd/\(file.number)"
    #expect(
      linkat(AT_FDCWD, path, AT_FDCWD, linked, AT_SYMLINK_FOLLOW) != 0, "\(name)",
      sourceLocation: location)
    let data = daemon.bus.home.appending(path: "data").path
    for name in try FileManager.default.subpathsOfDirectory(atPath: data) {
      var stored = stat()
      guard lstat("\(data)/\(name)", &stored) == 0 else { continue }
      let isSame = stored.st_dev == status.st_dev && stored.st_ino == status.st_ino
      #expect(!isSame, "\(name)", sourceLocation: location)
    }
  }

  @Test("A locked row keeps its bytes when a client writes to the file from GetFile")
  func row() throws {
    let item = try client.call(
      BoardInterface.insertFile, 0, -1, "image/png", try TestFile.memory(Self.bytes))
    _ = try client.call(BoardInterface.setEditable, item, false)
    let file = try client.call(BoardInterface.getFile, item, "image/png")
    overwrite(file)
    expect(try client.call(BoardInterface.getData, item, "image/png"), are: Self.bytes)
    try expectForeign(file, "GetFile")
    daemon.kill()
    try daemon.start()
    let later = try daemon.client()
    expect(try later.call(BoardInterface.getData, item, "image/png"), are: Self.bytes)
  }

  @Test("A drag keeps its bytes when a client writes to the file from LoadFile")
  func drag() throws {
    let session = try client.beginDrag()
    _ = try client.call(DragSessionInterface.addItem, at: session, "")
    try client.call(
      DragSessionInterface.registerFile, at: session, 0, "image/png", "all",
      try TestFile.regular(Self.bytes, in: daemon.bus.home))
    let file = try client.loadFile("image/png", of: session)
    overwrite(file)
    expect(try client.loadData("image/png", of: session), are: Self.bytes)
    try expectForeign(file, "LoadFile")
    let item = try client.drop(session).items[0]
    overwrite(file)
    expect(try client.call(BoardInterface.getData, item, "image/png"), are: Self.bytes)
  }

  @Test("A kept promise keeps its bytes when a client writes to the file from LoadFile")
  func promise() throws {
    let source = try PromisingClient(on: daemon.bus)
    let session = try source.drag(type: "image/png", [[.write(Self.bytes), .close, .reply]])
    try client.accept(session, as: "org.target")
    let file = try client.loadFile("image/png", of: session)
    overwrite(file)
    expect(try client.loadData("image/png", of: session), are: Self.bytes)
    try expectForeign(file, "LoadFile")
  }

  @Test("A dragged row keeps its bytes after its deletion and after the undo")
  func draggedRow() throws {
    let item = try client.call(
      BoardInterface.insertFile, 0, -1, "image/png", try TestFile.memory(Self.bytes))
    let session = try client.drag(rows: [item])
    overwrite(try client.loadFile("image/png", of: session))
    _ = try client.call(BoardInterface.deleteItems, [item])
    let file = try client.loadFile("image/png", of: session)
    overwrite(file)
    try expectForeign(file, "LoadFile")
    _ = try client.call(BoardInterface.undo)
    expect(try client.call(BoardInterface.getData, item, "image/png"), are: Self.bytes)
  }

  // MARK: All members

  @Test("GetFile and LoadFile are the only members that return a descriptor")
  func members() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/DragboardInterface/Interfaces")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    var members: [String] = []
    for file in files where file.pathExtension == "xml" {
      let document = try InterfaceDocument(String(contentsOf: file, encoding: .utf8))
      let lines = document.lines.filter { $0.contains(" out ") && $0.hasSuffix("h") }
      members += lines.compactMap { $0.split(separator: "/").dropLast().last.map(String.init) }
    }
    #expect(members.sorted() == ["method GetFile", "method LoadFile"])
  }

  @Test(
    "The file of a returned descriptor has no name and is not a file of the data directory",
    arguments: [1, 65_536, 65_537, 300_000])
  func origins(size: Int) throws {
    let bytes = [UInt8].sample(size)
    let session = try client.beginDrag()
    _ = try client.call(DragSessionInterface.addItem, at: session, "")
    try client.call(DragSessionInterface.registerData, at: session, 0, "image/x-0", "all", bytes)
    let files = [
      try TestFile.memory(bytes), try TestFile.sealed(bytes),
      try TestFile.regular(bytes, in: daemon.bus.home),
    ]
    for (number, file) in files.enumerated() {
      try client.call(
        DragSessionInterface.registerFile, at: session, 0, "image/x-\(number + 1)", "all", file)
    }
    let types = (0...files.count).map { "image/x-\($0)" }
    for type in types { try expectForeign(try client.loadFile(type, of: session), type) }
    let item = try client.drop(session).items[0]
    let again = try client.drag(rows: [item])
    for type in types {
      try expectForeign(try client.call(BoardInterface.getFile, item, type), type)
      try expectForeign(try client.loadFile(type, of: again), type)
    }
  }
}
