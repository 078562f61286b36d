import DBus
import DragboardInterface
import Files
import Foundation
import TestSupport
import Testing

@Suite("Files that are registered")
struct FileRegistrationTests {
  let daemon: Daemon
  let client: BusClient
  let session: ObjectPath

  init() throws {
    daemon = try Daemon()
    client = try daemon.client()
    session = try client.beginDrag(as: "")
    _ = try client.call(DragSessionInterface.addItem, at: session, "")
  }

  private func register(
    _ file: FileDescriptor, as type: String = "image/png", item: UInt32 = 0
  ) throws {
    try client.call(DragSessionInterface.registerFile, at: session, item, type, "all", file)
  }

  /// Sizes that are stored in memory, and a size that is stored in a file.
  private static let sizes = [0, 1, 1_000, 300_000]

  // MARK: Files with and without a copy

  @Test(
    "A memfd that is sealed against writing and shrinking is stored without a copy")
  func sealed() throws {
    let bytes = [UInt8].sample(300_000)
    for (number, seals) in [
      Seal.write | Seal.shrink, Seal.write | Seal.shrink | Seal.grow,
      Seal.write | Seal.shrink | Seal.grow | Seal.seal,
    ].enumerated() {
      let file = try TestFile.memory(bytes, seals: seals)
      try register(file, as: "image/x-\(number)")
      let loaded = try client.loadFile("image/x-\(number)", of: session)
      #expect(TestFile.identity(of: loaded) == TestFile.identity(of: file))
      expect(TestFile.rest(of: loaded), are: bytes)
      // Nobody can make the file longer, not even the client that passed it.
      #expect(!TestFile.isChangeable(file))
    }
  }

  @Test("A sealed memfd of valid UTF-8 plain text is stored without a copy, too")
  func sealedText() throws {
    let file = try TestFile.sealed(Array(String(repeating: "é", count: 100_000).utf8))
    try register(file, as: "UTF8_STRING")
    let loaded = try client.loadFile("text/plain", of: session)
    #expect(TestFile.identity(of: loaded) == TestFile.identity(of: file))
    #expect(try client.loadText(of: session).utf8.count == 200_000)
  }

  @Test(
    "Any other file is copied, so later changes of the file have no effect",
    arguments: sizes)
  func copied(size: Int) throws {
    let bytes = [UInt8].sample(size)
    let files = [
      try TestFile.memory(bytes), try TestFile.memory(bytes, seals: Seal.write),
      try TestFile.memory(bytes, seals: Seal.shrink | Seal.grow),
      try TestFile.regular(bytes, in: daemon.bus.home),
    ]
    for (number, file) in files.enumerated() {
      let type = "image/x-\(number)"
      try register(file, as: type)
      expect(try client.loadData(type, of: session), are: bytes)
      let loaded = try client.loadFile(type, of: session)
      #expect(TestFile.identity(of: loaded) != TestFile.identity(of: file))
      _ = pwrite(file.number, [0xEE, 0xEE], 2, 0)
      _ = ftruncate(file.number, off_t(size / 2))
      _ = pwrite(file.number, [0xEE, 0xEE], 2, off_t(size))
      expect(TestFile.rest(of: loaded), are: bytes)
      expect(try client.loadData(type, of: session), are: bytes)
    }
  }

  @Test("A memfd that cannot be sealed against growing is copied")
  func sealedSeals() throws {
    let bytes = [UInt8].sample(100_000)
    let file = try TestFile.memory(bytes, seals: Seal.write | Seal.shrink | Seal.seal)
    try register(file)
    let loaded = try client.loadFile("*/*", of: session)
    #expect(TestFile.identity(of: loaded) != TestFile.identity(of: file))
    expect(TestFile.rest(of: loaded), are: bytes)
  }

  // MARK: Returned files

  @Test("A returned file has offset 0, does not share its offset, and cannot be changed")
  func descriptors() throws {
    let types = ["image/x-memory", "image/x-large", "image/x-sealed", "image/x-file"]
    let bytes = [UInt8].sample(300_000)
    try client.call(
      DragSessionInterface.registerData, at: session, 0, types[0], "all", Array(bytes[..<10]))
    try client.call(DragSessionInterface.registerData, at: session, 0, types[1], "all", bytes)
    try register(TestFile.sealed(bytes), as: types[2])
    try register(TestFile.regular(bytes, in: daemon.bus.home), as: types[3])
    for type in types {
      let (first, second) = (
        try client.loadFile(type, of: session), try client.loadFile(type, of: session)
      )
      #expect(TestFile.offset(of: first) == 0, "\(type)")
      let all = TestFile.rest(of: first)
      expect(all, are: type == types[0] ? Array(bytes[..<10]) : bytes, "\(type)")
      #expect(TestFile.offset(of: second) == 0, "\(type)")
      #expect(TestFile.offset(of: try client.loadFile(type, of: session)) == 0, "\(type)")
      for file in [first, second] {
        let isWritable = fcntl(file.number, F_GETFL) & O_ACCMODE != O_RDONLY
        let seals = fcntl(file.number, Seal.get)
        #expect(!isWritable || seals > 0 && seals & Seal.write != 0, "\(type)")
        #expect(!TestFile.isChangeable(file), "\(type)")
      }
      expect(TestFile.rest(of: second), are: all, "\(type)")
    }
  }

  @Test(
    "A file is read from its start, and its offset does not change", arguments: sizes
  )
  func offsets(size: Int) throws {
    let bytes = [UInt8].sample(size)
    for (number, file) in [
      try TestFile.memory(bytes), try TestFile.sealed(bytes),
      try TestFile.regular(bytes, in: daemon.bus.home),
    ].enumerated() {
      lseek(file.number, off_t(size / 2 + 1), SEEK_SET)
      try register(file, as: "image/x-\(number)")
      expect(try client.loadData("image/x-\(number)", of: session), are: bytes)
      #expect(TestFile.offset(of: try client.loadFile("image/x-\(number)", of: session)) == 0)
      #expect(TestFile.offset(of: file) == size / 2 + 1)
    }
  }

  // MARK: Order

  @Test("The order of fidelity is the order of the calls, although files take time")
  func order() throws {
    var calls: [OutgoingMessage] = []
    var types: [String] = []
    for number in 0..<12 {
      let type = "image/x-\(number)"
      types.append(type)
      calls.append(
        number.isMultiple(of: 2)
          ? call(
            DragSessionInterface.registerFile, at: session, 0, type, "all",
            try TestFile.memory(.sample(200_000, seed: UInt8(number))))
          : call(DragSessionInterface.registerData, at: session, 0, type, "all", [UInt8(number)]))
    }
    for answer in client.answers(to: calls) { _ = try answer.get() }
    #expect(try client.call(DragSessionInterface.getTypes, at: session, 0) == types)
    expect(try client.loadData("*/*", of: session), are: .sample(200_000, seed: 0))
  }

  @Test("A refused file does not change the order of the others, and its type stays free")
  func refusedAmongOthers() throws {
    let text = try TestFile.memory([0x61, 0xFF])
    let calls = [
      call(DragSessionInterface.registerFile, at: session, 0, "text/rtf", "all", text),
      call(DragSessionInterface.registerFile, at: session, 0, "UTF8_STRING", "all", text),
      call(DragSessionInterface.registerData, at: session, 0, "UTF8_STRING", "all", [0x61]),
      call(DragSessionInterface.registerData, at: session, 0, "text/html", "all", [0x62]),
    ]
    // All calls arrive before the daemon handles the first call.
    daemon.signal(SIGSTOP)
    let outstanding = client.send(calls)
    daemon.signal(SIGCONT)
    let answers = outstanding.all()
    #expect(throws: Never.self) { try answers[0].get() }
    expect(.invalidArgs, naming: "fd", "byte 1") { _ = try answers[1].get() }
    // The earlier call had reserved the type when the second call arrived.
    expect(.duplicateRepresentation, naming: "text/plain;charset=utf-8") {
      _ = try answers[2].get()
    }
    #expect(throws: Never.self) { try answers[3].get() }
    try register(TestFile.memory([0x61]), as: "UTF8_STRING")
    #expect(
      try client.call(DragSessionInterface.getTypes, at: session, 0) == [
        "text/rtf", "text/html", "text/plain;charset=utf-8",
      ])
  }

  @Test("If the drag ends while a file is copied, the call gets SessionEnded, and no file is left")
  func endsMeanwhile() throws {
    let calls = [
      call(
        DragSessionInterface.registerFile, at: session, 0, "image/png", "all",
        try TestFile.memory(.sample(3 << 20))),
      call(DragSessionInterface.cancel, at: session),
    ]
    daemon.signal(SIGSTOP)
    let outstanding = client.send(calls)
    daemon.signal(SIGCONT)
    #expect(outstanding.errors() == ["SessionEnded", ""])
    try client.waitForContentFiles(0, on: daemon.bus)
  }

  @Test("Rows made from files have the same bytes, also after a restart")
  func dropped() throws {
    let bytes = [UInt8].sample(300_000)
    try register(TestFile.sealed(bytes), as: "image/png")
    try register(TestFile.memory(bytes), as: "image/tiff")
    try register(TestFile.sealed(Array("title\nrest".utf8)), as: "UTF8_STRING")
    let row = try client.drop(session).items[0]
    #expect(try client.rows()[0].preview == "title")
    daemon.kill()
    try daemon.start()
    let later = try daemon.client()
    #expect(
      try later.call(BoardInterface.getTypes, row) == [
        "image/png", "image/tiff", "text/plain;charset=utf-8",
      ])
    for type in ["image/png", "image/tiff"] {
      expect(try later.call(BoardInterface.getData, row, type), are: bytes)
    }
    expect(try later.texts(), are: ["title\nrest"])
    #expect(try contentFiles(in: daemon.bus).count == 2)
  }
}
