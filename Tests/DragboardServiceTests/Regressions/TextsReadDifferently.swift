import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Regression: different calls returned different texts of an item")
struct TextsReadDifferently {
  private static let flowed = "text/plain;charset=utf-8;format=flowed"
  private static let plain = "text/plain;charset=utf-8"
  private static let maxTextBytes = 1 << 20

  private let daemon: Daemon
  private let client: BusClient

  init() throws {
    daemon = try Daemon()
    client = try daemon.client()
  }

  @Test("If flowed text comes before plain text, every call returns the flowed text")
  func flowedFirst() throws {
    let session = try client.beginDrag()
    _ = try client.call(DragSessionInterface.addItem, at: session, "")
    try client.register(Self.flowed, "flowed", of: session)
    try client.register(Self.plain, "plain", of: session)
    let item = try #require(try client.drop(session).items.first)

    let row = try #require(try client.rows().first)
    #expect(row.types == [Self.flowed, Self.plain])
    #expect(row.preview == "flowed")
    #expect(try client.call(BoardInterface.getText, item) == "flowed")
    #expect(try client.texts() == ["flowed"])
    #expect(try client.call(BoardInterface.getData, item, Self.plain) == Array("flowed".utf8))
  }

  @Test("A long flowed text is cut between scalars")
  func cut() throws {
    let text = String(repeating: "€", count: 400_000)
    let item = try client.call(BoardInterface.insertData, 0, 0, Self.flowed, Array(text.utf8))
    let cut = try client.texts()[0]
    #expect(cut.utf8.count <= Self.maxTextBytes)
    #expect(cut.utf8.count > Self.maxTextBytes - 3)
    #expect(cut.unicodeScalars.allSatisfy { $0 == "€" })
    #expect(try client.call(BoardInterface.getText, item) == text)
  }

  @Test("A text that exceeds the limit because U+0000 becomes U+FFFD is cut")
  func zeros() throws {
    let data = [UInt8](repeating: 0, count: 1_200_000)
    _ = try client.call(BoardInterface.insertData, 0, 0, Self.plain, data)
    let cut = try client.texts()[0]
    #expect(cut.utf8.count <= Self.maxTextBytes)
    #expect(cut.utf8.count > Self.maxTextBytes - 3)
    #expect(cut.unicodeScalars.allSatisfy { $0 == "\u{FFFD}" })
  }

  @Test("The largest array of the bus is accepted and returned")
  func maxArrayBytes() throws {
    let data = [UInt8](repeating: 7, count: 64 << 20)
    let item = try client.call(BoardInterface.insertData, 0, 0, "application/octet-stream", data)
    let back = try client.call(BoardInterface.getData, item, "application/octet-stream")
    #expect(back == data)
  }
}
