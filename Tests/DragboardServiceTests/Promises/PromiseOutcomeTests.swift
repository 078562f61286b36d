import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("The outcomes of a promise")
struct PromiseOutcomeTests {
  private static let limit = 1 << 20

  /// A loader, and the outcome of a load: a number of bytes, or an error.
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    var type = "application/octet-stream"
    let steps: [LoadStep]
    var bytes: [UInt8] = []
    var error: ErrorName?
    var words: [String] = []
    var seesBrokenPipe = false
    var testDescription: String { name }
  }

  private static let kept = [
    Case(name: "bytes at once", steps: .gives("x"), bytes: [0x78]),
    Case(name: "no byte", steps: .gives([])),
    Case(
      name: "more than a pipe takes", steps: .gives(pattern(300_000)), bytes: pattern(300_000)),
    Case(
      name: "as many bytes as the limit allows", steps: .gives(pattern(limit)),
      bytes: pattern(limit)),
    Case(name: "small pieces", steps: pieces(1_000, of: 7), bytes: pattern(7_000, every: 7)),
    Case(
      name: "a good reply, then the bytes", steps: [.reply, .write([1]), .write([2]), .close],
      bytes: [1, 2]),
    Case(
      name: "a good reply, then more than a pipe takes",
      steps: [.reply, .write(pattern(300_000)), .close], bytes: pattern(300_000)),
    Case(name: "the end, then the reply", steps: [.write([1]), .close, .reply], bytes: [1]),
    Case(
      name: "a reply, and death with the bytes in the pipe",
      steps: [.reply, .write([1, 2]), .close, .leave], bytes: [1, 2]),
    Case(
      name: "text", type: "text/plain;charset=utf-8", steps: .gives("ä€"),
      bytes: [UInt8]("ä€".utf8)),
  ]

  private static let failed = [
    Case(
      name: "an error", steps: .refuses("no such luck"), error: .loadFailed,
      words: ["item 0", "application/octet-stream", "no such luck"]),
    Case(
      name: "an error, though all bytes have come", steps: [.write([1]), .close, .refuse("no")],
      error: .loadFailed, words: ["no"]),
    Case(
      name: "a good reply, and no end", steps: [.write([1]), .reply, .waitForBrokenPipe],
      error: .loadFailed, words: ["0.5", "load-timeout"], seesBrokenPipe: true),
    Case(
      name: "the end, and no reply", steps: [.write([1]), .close, .wait("never")],
      error: .loadFailed, words: ["load-timeout"]),
    Case(
      name: "nothing", steps: .silent, error: .loadFailed, words: ["load-timeout"],
      seesBrokenPipe: true),
    Case(
      name: "silence after some bytes", steps: [.write(pattern(100_000)), .waitForBrokenPipe],
      error: .loadFailed, words: ["load-timeout"], seesBrokenPipe: true),
    Case(
      name: "death at once", steps: [.leave], error: .loadFailed, words: ["left the bus"]),
    Case(
      name: "death with all bytes in the pipe, and no reply",
      steps: [.write([1]), .close, .leave], error: .loadFailed, words: ["left the bus"]),
    Case(
      name: "death after a reply, without an end",
      steps: [.reply, .write([1]), .leave, .waitForBrokenPipe], error: .loadFailed,
      words: ["left the bus"], seesBrokenPipe: true),
    Case(
      name: "a byte more than the limit", steps: .gives(pattern(limit + 1)),
      error: .limitsExceeded, words: ["max-representation-bytes", "\(limit)"]),
    Case(
      name: "bytes without end", steps: [.write(pattern(8 * limit))], error: .limitsExceeded,
      words: ["max-representation-bytes"], seesBrokenPipe: true),
    Case(
      name: "text that is none", type: "text/plain;charset=utf-8",
      steps: .gives([0x61, 0xFF, 0x62]), error: .loadFailed, words: ["UTF-8", "byte 1"]),
    Case(
      name: "text that ends within a character", type: "text/plain;charset=utf-8",
      steps: .gives([0x61, 0xE2, 0x82]), error: .loadFailed, words: ["UTF-8", "byte 1"]),
    Case(
      name: "text that is none, without end", type: "text/plain;charset=utf-8",
      steps: [.write([0xFF, 0x61]), .waitForBrokenPipe], error: .loadFailed, words: ["UTF-8"],
      seesBrokenPipe: true),
  ]

  @Test("A client that loads gets the bytes, or an error with the reason", arguments: kept + failed)
  func load(_ promise: Case) throws {
    let fixture = try PromiseFixture(
      "--load-timeout", "0.5", "--max-representation-bytes", "\(Self.limit)")
    let session = try fixture.source.drag(type: promise.type, [promise.steps])
    try fixture.accept(session)
    if let error = promise.error {
      let told = #expect(throws: DBusError.self) { _ = try fixture.load(session) }
      #expect(told?.name == error)
      for word in promise.words { #expect(told?.message.contains(word) == true, "\(told)") }
    } else {
      #expect(try fixture.load(session) == promise.bytes)
    }
    if promise.seesBrokenPipe { #expect(fixture.log.waitForBrokenPipes(1)) }
    #expect(fixture.log.loads.count == 1)
  }

  @Test(
    "A board gets every kept promise in order; other clients are served meanwhile"
  )
  func drop() throws {
    let fixture = try PromiseFixture(
      "--load-timeout", "2", "--max-representation-bytes", "\(Self.limit)")
    let (client, source) = (fixture.client, fixture.source)
    let dying = try PromisingClient(on: fixture.daemon.bus)
    let session = try source.run { try $0.beginDrag(as: "org.source") }
    let text = "text/plain;charset=utf-8"
    let ten: [(steps: [LoadStep], type: String)] = [
      (.gives("fast"), text), (.slow([[0x73], [0x6C, 0x6F], [0x77]]), text),
      (.gives(pattern(300_000)), "application/octet-stream"), (.refuses("not today"), text),
      (.silent, text), ([.write([1]), .close, .leave], text), (.gives("more than it said"), text),
      ([.write(pattern(8 * Self.limit))], "application/octet-stream"),
      (.gives([0x61, 0xFF]), text),
      ([.reply, .write([0x6F, 0x6B]), .wait("late"), .close], text),
    ]
    for (number, loader) in ten.enumerated() {
      let item = try source.addItem(to: session)
      let promiser = number == 5 ? dying : source
      try promiser.promise(loader.steps, type: loader.type, item: item, of: session)
    }
    _ = try client.call(DragSessionInterface.setExpectedSize, at: session, 6, text, 4)
    _ = try client.call(BoardInterface.setAcceptedTypes, [text, "application/octet-stream"])
    let row = try client.insert(["row"])[0]
    _ = client.takeSignals()

    let drop = fixture.dropper.beginDrop(session, row: 0)
    #expect(fixture.log.waitForLoads(9) && dying.log.waitForLoads(1))
    for gate in ["1", "2", "late"] {
      fixture.log.open(gate)
      #expect(try client.call(BoardInterface.getIndexPath, row) == (0, 0))
    }
    let result = try drop.dropResult()
    #expect(result.operation == "copy" && result.items.count == 5)
    #expect(fixture.log.waitForBrokenPipes(2))
    #expect(
      client.takeWords().filter { !$0.hasPrefix("DropPending") } == [
        "WillEnd copy", "Changed 2 3", "DidTransferItems [0, 1, 2, 6, 9] [3, 4, 5, 7, 8]",
        "DidEnd copy", "DragEnded \(session.element) org.source copy",
        "DropPerformed \(session.element) copy 5",
      ])
    let expected = ["fast", "slow", nil, "more than it said", "ok"].map { text in
      text.map { Array($0.utf8) } ?? pattern(300_000)
    }
    for (row, bytes) in zip(result.items, expected) {
      #expect(try client.call(BoardInterface.getData, row, "*/*") == bytes)
    }
    #expect(try client.rows().map(\.id) == result.items + [row])
  }

  @Test("If no promise is kept, LoadFailed has the reasons, and the board does not change")
  func nothing() throws {
    let fixture = try PromiseFixture("--load-timeout", "0.3")
    let session = try fixture.source.drag(
      [.refuses("first reason"), .gives([0xFF]), .silent, .refuses("last reason")])
    let before = try fixture.client.contents()
    _ = fixture.client.takeSignals()
    expect(.loadFailed, naming: "first reason", "UTF-8", "load-timeout", "last reason", "item 3") {
      _ = try fixture.dropper.beginDrop(session).dropResult()
    }
    #expect(try fixture.client.contents() == before)
    #expect(
      fixture.client.takeWords().filter { !$0.hasPrefix("DropPending") } == [
        "WillEnd copy", "DidTransferItems [] [0, 1, 2, 3]", "DidEnd cancel",
        "DragEnded \(session.element) org.source cancel",
      ])
    #expect(try fixture.client.standing(of: session) == "ended cancel")
  }

  @Test("LoadFailed has at most eight reasons")
  func manyReasons() throws {
    let fixture = try PromiseFixture()
    let session = try fixture.source.drag((0..<20).map { .refuses("reason-\($0);") })
    let error = #expect(throws: DBusError.self) {
      _ = try fixture.dropper.beginDrop(session).dropResult()
    }
    let message = try #require(error?.message)
    #expect((0..<8).allSatisfy { message.contains("reason-\($0);") }, "\(message)")
    #expect((8..<20).allSatisfy { !message.contains("reason-\($0);") }, "\(message)")
    #expect(message.hasSuffix("…"))
  }

  @Test("A failed representation is left out; the item's others are inserted")
  func partOfAnItem() throws {
    let fixture = try PromiseFixture()
    _ = try fixture.client.call(BoardInterface.setAcceptedTypes, ["text/*", "image/png"])
    let session = try fixture.source.run { try $0.beginDrag(as: "org.source") }
    let item = try fixture.source.addItem(to: session)
    for (type, steps) in [
      ("text/html", [LoadStep].refuses("no")), ("text/plain;charset=utf-8", .gives("a\nb")),
      ("image/png", .gives([0x89])), ("text/csv", [.leave]),
    ] {
      let promiser = steps.count == 1 ? try PromisingClient(on: fixture.daemon.bus) : fixture.source
      try promiser.promise(steps, type: type, item: item, of: session)
      fixture.others.append(promiser)
    }
    _ = fixture.client.takeSignals()
    let result = try fixture.dropper.beginDrop(session).dropResult()
    #expect(result.items.count == 1)
    #expect(fixture.client.takeWords().contains("DidTransferItems [0] []"))
    let row = try #require(try fixture.client.rows().first)
    #expect(row.types == ["text/plain;charset=utf-8", "image/png"])
    #expect(row.preview == "a")
  }

  private static func pieces(_ count: Int, of size: Int) -> [LoadStep] {
    [LoadStep](repeating: .write(pattern(size)), count: count) + [.close, .reply]
  }
}
