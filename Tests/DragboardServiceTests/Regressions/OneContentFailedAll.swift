import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

/// A missing content failed GetTexts for its whole section and Search for the board, and neither
/// the log nor doctor reported it.
@Suite("Regression: one lost content failed the calls for other contents")
struct OneContentFailedAll {
  private let scene: DamagedScene
  private let client: BusClient
  private let items: [String]
  private static let large = String(repeating: "large ", count: 20_000)

  init() throws {
    scene = try DamagedScene()
    client = try scene.daemon.client()
    _ = try client.call(BoardInterface.clear)
    items = try client.insert(["before", Self.large, "after"])
  }

  private func damage(_ isMissing: Bool) throws -> String {
    let name = try #require(try contentFiles(in: scene.daemon.bus).first)
    let path = scene.data + "/contents/" + name
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[bytes.count / 2] ^= 1
    guard !isMissing else {
      try FileManager.default.removeItem(atPath: path)
      return path
    }
    let altered = scene.daemon.bus.home.path + "/altered"
    try bytes.write(to: URL(fileURLWithPath: altered))
    // The test restores the mode that the store sets; the store narrows a wider mode, and logs
    // this.
    try #require(chmod(altered, 0o400) == 0)
    try #require(rename(altered, path) == 0)
    return path
  }

  @Test(
    "A lost content fails its own representation with item and type, and log and doctor report it",
    arguments: [true, false])
  func damaged(isMissing: Bool) throws {
    let path = try damage(isMissing)
    #expect(try scene.doctor("contents") == nil)
    #expect(try client.call(BoardInterface.getTexts, 0, 0, 9) == ["before", "", "after"])
    #expect(scene.daemon.nextLogLine()?.contains(path) == true)
    #expect(try scene.doctor("contents")?.contains(path) == true)
    let rows = try client.call(BoardInterface.getRows, 0, 0, 9).1
    #expect(rows.map(\.members.0) == items)
    #expect(rows[1].members.2 == ["text/plain;charset=utf-8"])
    #expect(try client.call(BoardInterface.getSnapshot).1[0].members.1 == items)
    #expect(try client.call(BoardInterface.search, "after", 0) == [items[2]])
    #expect(try client.call(BoardInterface.getText, items[0]) == "before")
    expect(.ioError, naming: items[1], "text/plain") {
      _ = try client.call(BoardInterface.getText, items[1])
    }
    expect(.ioError, naming: items[1], "text/plain") {
      _ = try client.call(BoardInterface.getData, items[1], "text/plain")
    }
    expect(.ioError, naming: items[1], "text/plain") {
      _ = try client.call(BoardInterface.getFile, items[1], "text/plain")
    }
    try expectLoadFails()
    // Each content is logged only once: the next line is about the end of the daemon, or there is
    // none.
    _ = try client.call(BoardInterface.deleteItems, [items[1]])
    #expect(try client.call(BoardInterface.getTexts, 0, 0, 9) == ["before", "after"])
    _ = scene.daemon.terminate()
    #expect(!scene.daemon.state.contains(path))
    try scene.daemon.start()
    #expect(try scene.doctor("contents") == nil)
  }

  private func expectLoadFails() throws {
    let session = try client.drag(rows: [items[1]], as: "")
    expect(.ioError, naming: "of 0", "text/plain") {
      _ = try client.loadText(0, of: session)
    }
    try client.cancel(session)
  }

  @Test("doctor reports a FIFO in place of a content, and does not hang")
  func doctor() throws {
    _ = scene.daemon.terminate()
    for name in ["damaged", "boards.db"] {
      let path = scene.data + "/" + name
      try? FileManager.default.removeItem(atPath: path)
      try #require(mkfifo(path, 0o600) == 0)
      #expect(try scene.doctor("data")?.contains(path) == true)
      #expect(try scene.runDaemon().errors.contains("\(path): not a regular file"))
      try FileManager.default.removeItem(atPath: path)
    }
  }
}
