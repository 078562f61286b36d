import DBus
import DragboardInterface
import DragboardService
import DragboardStore
import Foundation
import TestSupport
import Testing

@testable import dragboardd

@Suite("Restoring deleted boards")
struct RestoreTests {
  /// Makes a board whose every property differs from that of a new board.
  private func fill(_ client: BusClient) throws -> (board: ObjectPath, rows: [String]) {
    let board = try client.board("work")
    _ = try client.call(BoardInterface.insertSection, at: board, "later", 0)
    let rows = try client.insert(["alpha", "beta", "gamma"], section: 1, on: board)
    _ = try client.call(BoardInterface.setAcceptedTypes, at: board, ["image/*"])
    try client.set(BoardInterface.maxRows, to: Variant(.uint32(9)), at: board)
    try client.set(BoardInterface.movesMultipleRows, to: true, at: board)
    _ = try client.call(BoardInterface.setEditable, at: board, rows[0], false)
    _ = try client.call(BoardInterface.setMovable, at: board, rows[1], false)
    _ = try client.call(BoardInterface.deleteItems, at: board, [rows[2]])
    return (board, rows)
  }

  private enum End: CaseIterable { case none, kill, leave }

  @Test(
    "A restored board is unchanged, with its history, also after a restart",
    arguments: End.allCases)
  private func restored(end: End) throws {
    let daemon = try Daemon()
    var client = try daemon.client()
    let (board, rows) = try fill(client)
    let attributes = try client.rows(1, of: board).map(\.attributes)
    let before = try client.state(of: board)
    try client.deleteBoard("work")
    expect(.unknownObject) { _ = try client.state(of: board) }
    if end != .none {
      if end == .kill { daemon.kill() } else { _ = daemon.terminate() }
      try daemon.start()
      client = try daemon.client()
    }
    #expect(try client.get(ManagerInterface.boards, at: Dragboard.root) == [BusClient.board])
    #expect(try client.deletedBoards() == ["work 2"])

    #expect(try client.restoreBoard("work") == board)
    #expect(try client.deletedBoards() == [])
    #expect(try client.state(of: board) == before)
    #expect(try client.rows(1, of: board).map(\.attributes) == attributes)
    #expect(try client.call(BoardInterface.search, at: board, "alpha", 0) == [rows[0]])
    #expect(try client.call(BoardInterface.getChanges, at: board, before.revision - 1).1.count == 1)
    _ = try client.call(BoardInterface.undo, at: board)
    #expect(try client.texts(1, of: board) == ["alpha", "beta", "gamma"])
    #expect(try client.state(of: board).sections[1].rows.map(\.id) == rows)

    daemon.kill()
    try daemon.start()
    client = try daemon.client()
    #expect(try client.texts(1, of: board) == ["alpha", "beta", "gamma"])
    _ = try client.call(BoardInterface.redo, at: board)
    #expect(try client.texts(1, of: board) == ["alpha", "beta"])
  }

  @Test("Edits that arrive together with the deletion are restored")
  func batch() throws {
    let service = try ServiceThread()
    defer { service.stop() }
    let client = try service.client()
    let board = try client.board("work")
    let outstanding = service.whilePaused {
      client.send([
        call(BoardInterface.insertText, at: board, 0, 0, "late"),
        call(ManagerInterface.deleteBoard, at: Dragboard.root, "work"),
      ])
    }
    #expect(outstanding.errors() == ["", ""])
    #expect(try client.deletedBoards() == ["work 1"])
    #expect(try client.texts(of: client.restoreBoard("work")) == ["late"])
  }

  @Test("Names without a deleted board, names in use and too many boards are refused")
  func refusals() throws {
    let daemon = try Daemon("--max-boards", "2")
    let client = try daemon.client()
    for name in ["", "none", "default", "two\nlines"] {
      expect(.noSuchBoard, naming: "name") { try client.restoreBoard(name) }
    }
    let board = try client.board("work")
    try client.insert(["old"], on: board)
    expect(.noSuchBoard, naming: "name", "work") { try client.restoreBoard("work") }
    try client.deleteBoard("work")
    #expect(try client.board("work") == board)
    _ = client.takeSignals()
    expect(.boardExists, naming: "name", "work") { try client.restoreBoard("work") }
    _ = try client.call(ManagerInterface.renameBoard, at: Dragboard.root, "work", "play")
    expect(.limitsExceeded, naming: "max-boards") { try client.restoreBoard("work") }
    #expect(try client.texts(of: board) == [])
    #expect(try client.deletedBoards() == ["work 1"])
  }

  @Test("A restored board gets another path if its path is in use, also after a restart")
  func takenPath() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let board = try client.board("work")
    try client.insert(["old"], on: board)
    try client.deleteBoard("work")
    #expect(try client.board("work") == board)
    _ = try client.call(ManagerInterface.renameBoard, at: Dragboard.root, "work", "play")
    let restored = try client.restoreBoard("work")
    #expect(restored.element == "work_2")
    #expect(try client.texts(of: restored) == ["old"])
    daemon.kill()
    try daemon.start()
    let later = try daemon.client()
    #expect(try later.texts(of: restored) == ["old"])
    #expect(
      try later.get(ManagerInterface.boards, at: Dragboard.root).map(\.element)
        == ["default", "work_2", "work"])
  }

  @Test("If several deleted boards have one name, the latest is restored first")
  func twice() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    for text in ["first", "second"] {
      try client.insert([text], on: try client.board("work"))
      try client.deleteBoard("work")
    }
    #expect(try client.deletedBoards() == ["work 1", "work 1"])
    let second = try client.restoreBoard("work")
    #expect(try client.texts(of: second) == ["second"])
    _ = try client.call(ManagerInterface.renameBoard, at: Dragboard.root, "work", "other")
    #expect(try client.texts(of: client.restoreBoard("work")) == ["first"])
  }

  @Test("Deletion and restoration emit the same signals as the end and the creation of a board")
  func signals() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let last = try client.board("last")
    let board = try client.board("work")
    try client.deleteBoard("last")
    _ = client.takeSignals()
    #expect(try client.restoreBoard("last") == last)
    let signals = client.takeSignals().map(\.member)
    _ = try client.board("new")
    #expect(signals == client.takeSignals().map(\.member))
    #expect(signals == ["InterfacesAdded", "PropertiesChanged"])
    // The boards are in the order of their creation.
    #expect(
      try client.get(ManagerInterface.boards, at: Dragboard.root).prefix(3)
        == [BusClient.board, last, board])
  }

  @Test("A drag of a deleted board's rows goes on, and is local again after the restoration")
  func drags() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let board = try client.board("work")
    let rows = try client.insert(["a", "b"], on: board)
    let session = try client.drag(rows: [rows[0]], of: board, as: "org.app")
    try client.deleteBoard("work")
    #expect(try client.loadText(0, of: session) == "a")
    try client.restoreBoard("work")
    #expect(try client.get(BoardInterface.hasActiveDrag, at: board))
    #expect(try client.drop(session, as: "org.app", row: 1, on: board).operation == "move")
    #expect(try client.texts(of: board) == ["b", "a"])
    #expect(try !client.get(BoardInterface.hasActiveDrag, at: board))
  }

  @Test("A drag keeps its contents when the board of its rows can no longer be restored")
  func draggedAndForgotten() throws {
    let service = try ServiceThread()
    defer { service.stop() }
    let client = try service.client()
    let large = String(repeating: "x", count: 100_000)
    let board = try client.board("work")
    let rows = try client.insert([large, "small"], on: board)
    let session = try client.drag(rows: rows, of: board, as: "")
    try client.deleteBoard("work")
    try client.forgetDeletedBoards()
    expect(.noSuchBoard) { try client.restoreBoard("work") }
    let ends = service.orders.ends
    _ = try client.board("last")
    try client.deleteBoard("last")
    #expect(service.orders.wait(forEnds: ends + 1))
    #expect(try client.loadText(0, of: session) == large)
    #expect(try client.loadText(1, of: session) == "small")
    try client.cancel(session)
    try client.waitForContentFiles(0, on: service.bus)
  }

  @Test("A discarded board cannot be restored, and the boards that can be restored stay")
  func discarded() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    for number in 1...16 {
      _ = try client.board("b\(number)")
      try client.deleteBoard("b\(number)")
    }
    let work = try client.board("work")
    try client.insert([String(repeating: "x", count: 100_000)], on: work)
    let session = try client.drag(rows: try client.rows(of: work).map(\.id), of: work)
    let revision = try client.get(BoardInterface.revision, at: work)
    expect(.staleRevision, naming: "base") {
      try client.call(ManagerInterface.discardBoard, at: Dragboard.root, "work", revision - 1)
    }
    try client.call(ManagerInterface.discardBoard, at: Dragboard.root, "work", revision)
    #expect(try client.get(ManagerInterface.boards, at: Dragboard.root).count == 1)
    #expect(try client.loadText(of: session).utf8.count == 100_000)
    try client.cancel(session)
    expect(.noSuchBoard) { try client.restoreBoard("work") }
    #expect(try client.deletedBoards() == (1...16).reversed().map { "b\($0) 0" })
    try client.waitForContentFiles(0, on: daemon.bus)
    daemon.kill()
    #expect(try StoredBoards.count(in: daemon.bus.home.path + "/data/dragboard") == 17)
  }

  @Test("At most 16 boards can be restored; the oldest is purged first")
  func number() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    for number in 1...18 {
      _ = try client.board("b\(number)")
      try client.deleteBoard("b\(number)")
    }
    #expect(try client.deletedBoards() == (3...18).reversed().map { "b\($0) 0" })
    expect(.noSuchBoard) { try client.restoreBoard("b2") }
    try client.restoreBoard("b3")
    daemon.kill()
    let store = daemon.bus.home.path + "/data/dragboard"
    #expect(try StoredBoards.count(in: store) == 1 + 1 + 15)
  }

  @Test(
    "If deleted boards have more than undo-bytes, the oldest are purged first, and the latest stays"
  )
  func bytes() throws {
    let daemon = try Daemon("--undo-bytes", "250000")
    let client = try daemon.client()
    for name in ["a", "b", "c"] {
      try client.insert([String(repeating: name, count: 100_000)], on: try client.board(name))
      try client.deleteBoard(name)
    }
    #expect(try client.deletedBoards() == ["c 1", "b 1"])
    try client.waitForContentFiles(2, on: daemon.bus)
    let large = try client.board("large")
    try client.insert(
      [String](repeating: String(repeating: "x", count: 200_000), count: 2), on: large)
    try client.deleteBoard("large")
    #expect(try client.deletedBoards() == ["large 2"])
    try client.waitForContentFiles(2, on: daemon.bus)
    // The limit also counts bytes that only the history needs.
    try client.restoreBoard("large")
    _ = try client.call(BoardInterface.clear, at: large)
    try client.deleteBoard("large")
    _ = try client.board("new")
    try client.deleteBoard("new")
    #expect(try client.deletedBoards() == ["new 0"])
    try client.waitForContentFiles(0, on: daemon.bus)
  }

  @Test("After 30 days by the clock a board can no longer be restored")
  func age() throws {
    let day: UInt64 = 24 * 3_600 * 1_000_000
    let clock = TestClock()
    let service = try ServiceThread(
      now: { clock.time }, elapsed: { .microseconds(Int64(clock.time)) })
    defer { service.stop() }
    let client = try service.client()
    _ = try client.board("a")
    clock.time = day
    try client.deleteBoard("a")
    let deleted = try client.call(ManagerInterface.getDeletedBoards, at: Dragboard.root)
    #expect(deleted.map(\.members.2) == [day])
    clock.time = 31 * day - 1
    #expect(try client.deletedBoards() == ["a 0"])
    clock.time = 31 * day
    #expect(try client.deletedBoards() == [])
    expect(.noSuchBoard) { try client.restoreBoard("a") }
  }

  @Test("A board that can no longer be restored is purged: no file contains its text")
  func expiredText() throws {
    let clock = TestClock()
    let service = try ServiceThread(
      now: { clock.time }, elapsed: { .microseconds(Int64(clock.time)) })
    defer { service.stop() }
    let client = try service.client()
    let board = try client.board("work")
    try client.insert(
      ["zzsecret", "zzsecret " + String(repeating: "x ", count: 40_000)], on: board)
    #expect(try client.call(BoardInterface.search, at: board, "zzsecret", 0).count == 2)
    try client.deleteBoard("work")
    let data = service.bus.home.appending(path: "data/dragboard")
    #expect(try isFound("zzsecret", in: data))
    clock.time = 31 * 24 * 3_600 * 1_000_000
    #expect(try client.deletedBoards() == [])
    _ = try client.board("next")
    try client.deleteBoard("next")
    let deadline = ContinuousClock.now + .seconds(60)
    while try isFound("zzsecret", in: data), ContinuousClock.now < deadline { usleep(50_000) }
    #expect(try !isFound("zzsecret", in: data))
  }

  @Test("A daemon that starts with a clock that is far ahead purges no deleted board at once")
  func startWithWrongClock() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    _ = try client.board("work")
    try client.deleteBoard("work")
    daemon.kill()
    let shim = try Shim("calendar")
    let later = Int(Date.now.timeIntervalSince1970) + 31 * 24 * 3_600
    try daemon.start(
      environment: ["LD_PRELOAD": shim.library, "CALENDAR_SECONDS": "\(later)"])
    #expect(try daemon.client().deletedBoards() == ["work 0"])
    daemon.kill()
    try daemon.start()
    #expect(try daemon.client().deletedBoards() == ["work 0"])
  }

  private func isFound(_ text: String, in data: URL) throws -> Bool {
    try FileManager.default.subpathsOfDirectory(atPath: data.path).contains { name in
      let bytes = FileManager.default.contents(atPath: data.path + "/" + name) ?? Data()
      return bytes.range(of: Data(text.utf8)) != nil
    }
  }
}

/// Reads the boards of a data directory that no daemon uses.
private enum StoredBoards {
  static func count(in directory: String) throws -> Int {
    let store = try BoardStore(directory: directory)
    return try store.boards().count + store.deletedBoards().count
  }
}
