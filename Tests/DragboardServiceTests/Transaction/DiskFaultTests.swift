import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("A failing disk")
struct DiskFaultTests {
  /// A fault of a disk.
  struct Fault: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let calls: Int64
    let error: POSIXErrorCode

    init(_ name: String, _ calls: Refuser.Calls, _ error: POSIXErrorCode) {
      (testDescription, self.calls, self.error) = (name, calls.rawValue, error)
    }

    static let all = [
      Fault("it is full", .writes, .ENOSPC),
      Fault("it is full, and no file can be made", [.writes, .names], .ENOSPC),
      Fault("it is over its quota", [.writes, .names], .EDQUOT),
      Fault("it has become read-only", [.writes, .syncs, .names], .EROFS),
      Fault("it cannot be written to", .writes, .EIO),
      Fault("it cannot be synced", .syncs, .EIO),
      Fault("it fills up while it is synced", .syncs, .ENOSPC),
    ]
  }

  @Test(
    "Every edit fails completely with IOError, reads work, and later all edits work",
    arguments: Fault.all)
  func edits(fault: Fault) throws {
    let scene = try FaultyScene()
    let before = try scene.client.whole()
    let sessions = try (0..<2).map { _ in try scene.client.drag(["dropped"]) }
    scene.refuser.refuse(Refuser.Calls(rawValue: fault.calls), fault.error)
    for (name, edit) in scene.edits(dropping: sessions[0]) {
      let error = #expect(throws: DBusError.self, "\(name)") { try scene.client.wait(for: edit) }
      #expect(error?.name == .ioError, "\(name)")
      #expect(try scene.client.whole() == before, "\(name)")
    }
    #expect(scene.client.takeSignals().filter { $0.member == "Changed" }.isEmpty)
    #expect(try scene.client.call(BoardInterface.getText, scene.items[0]) == "a")
    #expect(try scene.client.get(ManagerInterface.boards, at: Dragboard.root).count == 1)
    #expect(scene.refuser.relent() > 0)

    for (name, edit) in scene.edits(dropping: sessions[1]) {
      #expect(throws: Never.self, "\(name)") { try scene.client.wait(for: edit) }
    }
    try scene.client.drop(sessions[0])
    try scene.checkAfterCrash()
  }

  @Test("Without permission to create files, only edits that need a file get IOError")
  func permission() throws {
    let scene = try FaultyScene()
    scene.refuser.refuse(.names, .EACCES)
    _ = try scene.client.insert(["small"])
    let before = try scene.client.whole()
    let large = call(BoardInterface.insertData, 0, 0, "application/x-large", pattern(100_000))
    expect(.ioError) { try scene.client.wait(for: large) }
    #expect(try scene.client.whole() == before)
    scene.refuser.relent()
    try scene.client.wait(for: large)
    try scene.checkAfterCrash()
  }

  @Test("After a crash, an edit whose sync failed is present completely or not at all")
  func refusedIsWhole() throws {
    let scene = try FaultyScene()
    let before = try scene.client.rows().map(\.id)
    scene.refuser.refuse(.syncs, .EIO)
    let texts = (0..<200).map { "refused \($0)" }
    expect(.ioError) { try scene.client.insert(texts) }
    #expect(scene.refuser.relent() > 0)
    scene.daemon.kill()
    try scene.daemon.start()
    let after = try scene.daemon.client().rows().map(\.id)
    #expect([before.count, before.count + texts.count].contains(after.count))
    #expect(Set(before).isSubset(of: after))
  }

  @Test(
    "If the disk refuses to create files, the daemon does not start, and reports the reason")
  func namesAtStart() throws {
    let (refuser, bus) = (try Refuser(), try PrivateBus())
    let environment = refuser.environment(bus.home.path + "/data/dragboard")
    refuser.refuse(.folderSyncs, .EIO)
    let failure = #expect(throws: PrivateBus.StartFailure.self) {
      try Daemon([], environment: environment, on: bus)
    }
    #expect(failure?.words.contains("Input/output error") == true)
    refuser.relent()
    let daemon = try Daemon([], environment: environment, on: bus)
    #expect(try daemon.client().insert(["a"]).count == 1)
  }

  @Test(
    "If the directory of a large content cannot be synced, the edit gets IOError, and works later")
  func folderOfContents() throws {
    let (refuser, bus) = (try Refuser(), try PrivateBus())
    let folder = bus.home.path + "/data/dragboard"
    let daemon = try Daemon([], environment: refuser.environment(folder), on: bus)
    let client = try daemon.client()
    refuser.refuse(.folderSyncs, .EIO, count: 1)
    let large = call(BoardInterface.insertData, 0, 0, "application/x-large", FaultyScene.large)
    expect(.ioError) { try client.wait(for: large) }
    #expect(!FileManager.default.fileExists(atPath: folder + "/contents"))
    try client.wait(for: large)
    #expect(try client.get(BoardInterface.count) == 1)
  }

  @Test(
    "If a part of a drop cannot be stored, the drop gets IOError and inserts no row",
    arguments: [Refuser.Calls.writes.rawValue, Refuser.Calls.syncs.rawValue])
  func partOfDrop(calls: Int64) throws {
    let scene = try FaultyScene()
    let before = try scene.client.whole()
    let session = try scene.client.drag(["kept in memory"])
    try scene.client.call(
      DragSessionInterface.registerData, at: session, 0, "image/png", "all", FaultyScene.large)
    // The daemon moves a large content from memory to a file when it is idle. The content is then
    // on the disk but not synced.
    _ = scene.client.takeSignals()
    scene.refuser.refuse(Refuser.Calls(rawValue: calls), .ENOSPC)
    expect(.ioError) { _ = try scene.client.drop(session) }
    #expect(try scene.client.whole() == before)
    scene.refuser.relent()
    try scene.checkAfterCrash()
  }

  @Test("A call that needs unreadable data gets IOError, and succeeds when the disk works again")
  func reads() throws {
    let scene = try FaultyScene()
    scene.refuser.refuse(.reads, .EIO)
    expect(.ioError) { _ = try scene.client.call(BoardInterface.getData, scene.items[3], "*/*") }
    expect(.ioError) { _ = try scene.client.call(BoardInterface.getFile, scene.items[3], "*/*") }
    #expect(try scene.client.get(BoardInterface.count) == 4)
    scene.refuser.relent()
    #expect(
      try scene.client.call(BoardInterface.getData, scene.items[3], "*/*") == FaultyScene.large)
  }

  @Test("A file-size limit refuses edits like a full disk, and nothing is lost")
  func limitOfFileSize() throws {
    let daemon = try Daemon([], by: ["prlimit", "--fsize=300000"])
    let client = try daemon.client()
    let text = String(repeating: "x", count: 8_000)
    var rows = 0
    expect(.ioError) {
      while rows < 100 { rows += try client.insert([text]).count }
    }
    expect(.ioError) {
      _ = try client.call(
        BoardInterface.insertData, 0, -1, "application/x-large", pattern(400_000))
    }
    #expect(try client.get(BoardInterface.count) == rows)
    daemon.kill()
    try daemon.start()
    #expect(try daemon.client().texts() == Array(repeating: text, count: rows))
  }

  @Test("The log reports once that the disk refuses edits, and once that it accepts them again")
  func log() throws {
    let scene = try FaultyScene()
    scene.refuser.refuse(.writes, .ENOSPC)
    for _ in 0..<50 { expect(.ioError) { try scene.client.insert(["x"]) } }
    scene.refuser.relent()
    try scene.client.insert(["y"])
    let lines = [scene.daemon.nextLogLine(), scene.daemon.nextLogLine()]
    #expect(lines[0]?.contains("full") == true, "\(lines)")
    #expect(lines[1]?.contains("stored again") == true, "\(lines)")
  }
}

/// A daemon on a disk that can fail, with a board of three texts and a large content.
final class FaultyScene {
  static let large = pattern(200_000)

  let refuser: Refuser
  private let environment: [String: String]
  let daemon: Daemon
  let client: BusClient
  private(set) var items: [String]

  init() throws {
    refuser = try Refuser()
    let bus = try PrivateBus()
    let folder = bus.home.path + "/data/dragboard"
    environment = refuser.environment(folder)
    daemon = try Daemon([], environment: environment, on: bus)
    client = try daemon.client()
    items = try client.insert(["a", "b", "c"])
    items.append(
      try client.call(BoardInterface.insertData, 0, -1, "application/x-large", Self.large))
    // The undo steps must be read from the disk.
    _ = try client.call(BoardInterface.search, "a", 0)
    _ = client.takeSignals()
  }

  /// Returns one edit of each kind, which can be made in this order.
  func edits(dropping session: ObjectPath) -> [(String, OutgoingMessage)] {
    [
      ("InsertText", call(BoardInterface.insertText, 0, 0, "x")),
      ("InsertTexts", call(BoardInterface.insertTexts, 0, -1, ["x", "y"])),
      ("InsertData", call(BoardInterface.insertData, 0, 0, "image/png", [1, 2, 3])),
      ("InsertData, large", call(BoardInterface.insertData, 0, 0, "image/png", pattern(90_000))),
      ("SetText", call(BoardInterface.setText, items[0], "A")),
      (
        "SetText, large",
        call(BoardInterface.setText, items[1], String(repeating: "B", count: 70_000))
      ),
      ("MoveRow", call(BoardInterface.moveRow, 0, 0, 0, 2)),
      ("DeleteItems", call(BoardInterface.deleteItems, [items[2]])),
      ("SetEditable", call(BoardInterface.setEditable, items[0], false)),
      ("InsertSection", call(BoardInterface.insertSection, "later", -1)),
      ("MaxRows", setting(BoardInterface.maxRows, to: Variant(.uint32(900)))),
      ("SetAcceptedTypes", call(BoardInterface.setAcceptedTypes, ["text/*"])),
      ("PerformDrop", call(DropTargetInterface.performDrop, session, "org.y", 0, 0)),
      ("CreateBoard", call(ManagerInterface.createBoard, at: Dragboard.root, "other")),
      ("Undo", call(BoardInterface.undo)),
    ]
  }

  /// Kills the daemon and starts it again, on the same disk.
  func restart() throws {
    daemon.kill()
    try daemon.start(environment: environment)
  }

  /// Kills and restarts the daemon, and checks that every acknowledged edit is there.
  func checkAfterCrash() throws {
    let before = try client.whole()
    daemon.kill()
    try daemon.start()
    #expect(try daemon.client().whole() == before)
  }
}
