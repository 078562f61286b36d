import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

/// Deleted text stayed in free pages, in the index of words and in the log, although no undo could
/// restore it.
@Suite("Regression: deleted text stayed in the data")
struct DeletedTextStayed {
  @Test("When no undo can restore a text, no file contains it")
  func deleted() throws {
    let daemon = try Daemon("--undo-steps", "1")
    let client = try daemon.client()
    let data = URL(fileURLWithPath: daemon.bus.home.path + "/data/dragboard")
    let secrets = ["zzsecret", "xxsecret " + String(repeating: "x ", count: 40_000)]
    let items = try client.insert(["kept"] + secrets)
    #expect(try client.call(BoardInterface.search, "zzsecret", 0) == [items[1]])
    #expect(try isFound(in: data))
    _ = try client.call(BoardInterface.setText, items[1], "changed")
    _ = try client.call(BoardInterface.deleteItems, [items[2]])
    try client.forgetUndo()
    let deadline = ContinuousClock.now + .seconds(60)
    while try isFound(in: data), ContinuousClock.now < deadline { usleep(50_000) }
    #expect(try !isFound(in: data))
    #expect(try client.texts() == ["kept", "changed"])
    #expect(try client.call(BoardInterface.search, "kept", 0) == [items[0]])
  }

  @Test("An erased board leaves no text of deleted, undone and changed rows, but pinned rows")
  func erased() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let data = URL(fileURLWithPath: daemon.bus.home.path + "/data/dragboard")
    let items = try client.insert(["pinned", "zzsecret 1", "zzsecret 2", "zzsecret 3"])
    _ = try client.call(BoardInterface.setPinned, items[0], true)
    _ = try client.call(BoardInterface.setText, items[2], "xxsecret 2")
    _ = try client.call(BoardInterface.deleteItems, [items[1]])
    _ = try client.call(BoardInterface.undo)
    _ = try client.call(BoardInterface.erase, false)
    #expect(try client.texts() == ["pinned"])
    let deadline = ContinuousClock.now + .seconds(60)
    while try isFound(in: data), ContinuousClock.now < deadline { usleep(50_000) }
    #expect(try !isFound(in: data))
    for method in [BoardInterface.undo, BoardInterface.redo] {
      #expect(throws: DBusError.self) { try client.call(method) }
    }
    _ = try client.call(BoardInterface.erase, true)
    #expect(try client.texts() == [])
  }

  private func isFound(in data: URL) throws -> Bool {
    try FileManager.default.subpathsOfDirectory(atPath: data.path).contains { name in
      let bytes = FileManager.default.contents(atPath: data.path + "/" + name) ?? Data()
      return ["zzsecret", "xxsecret"].contains { bytes.range(of: Data($0.utf8)) != nil }
    }
  }
}
