import LinkModel
import TestSupport
import Testing

/// The messages about drags, whose bytes come from other machines.
struct DragMessageTests {
  private static let drag = SharedDrag(items: [
    .init(
      name: "a.txt", modified: 5, application: "org.example.App", stack: "s",
      types: ["text/plain;charset=utf-8", "image/png"]), .init(),
  ])

  private static let messages: [DragMessage] = [
    .hint, .request(1, .list(held: [DragKey(1, 2), DragKey(3, 4)])),
    .request(2, .describe(DragKey(1, 2))), .request(3, .accept(DragKey(1, 2))),
    .request(4, .load(DragKey(1, 2), item: 999, type: "image/png")),
    .request(5, .read(DragKey(1, 2), load: 6, offset: 1 << 40)),
    .request(6, .release(DragKey(1, 2), load: 7)),
    .request(7, .finish(DragKey(1, 2), loaded: [0, 2], failed: [1])),
    .request(8, .sizes(DragKey(1, 2))), .reply(8, .sizes([0, 1 << 40])),
    .reply(8, .list([DragKey(1, 2): 3, DragKey(1, 1): 300])),
    .reply(9, .description(drag, number: 4)), .reply(10, .accepted),
    .reply(11, .loaded(3, byteCount: 1 << 40)), .reply(12, .bytes([1, 2, 3])),
    .reply(.max, .failed("a reason")),
  ]

  private static func envelope(_ message: DragMessage, _ number: UInt64 = 1) -> DragEnvelope {
    DragEnvelope(sender: MachineKey(1, 2), run: 3, number: number, message: message)
  }

  @Test
  func everyMessageIsDecoded() throws {
    for message in Self.messages {
      let envelope = Self.envelope(message)
      #expect(try DragEnvelope(bytes: envelope.bytes) == envelope)
    }
  }

  @Test
  func everyTruncatedMessageIsRefused() {
    for message in Self.messages {
      let bytes = Self.envelope(message).bytes
      for count in bytes.indices {
        #expect(throws: EncodingDamage.self) { try DragEnvelope(bytes: Array(bytes.prefix(count))) }
      }
      #expect(throws: EncodingDamage.excess) { try DragEnvelope(bytes: bytes + [0]) }
    }
  }

  @Test
  func alteredBytesNeverTrapAndDecodeToTheirOwnEncoding() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<20_000 {
      var bytes = Self.envelope(Self.messages.randomElement(using: &random) ?? .hint).bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      if let envelope = try? DragEnvelope(bytes: bytes) { #expect(envelope.bytes == bytes) }
    }
  }

  @Test
  func aLongReasonIsCut() throws {
    let message = DragMessage.reply(1, .failed(String(repeating: "ä", count: 2_000)))
    let envelope = try DragEnvelope(bytes: Self.envelope(message).bytes)
    guard case .reply(1, .failed(let reason)) = envelope.message else {
      Issue.record("another message")
      return
    }
    #expect(reason == String(repeating: "ä", count: 512))
  }

  @Test
  func aDragThatOtherMachinesCannotShowIsNotShareable() {
    let item = SharedDrag.Item(types: ["text/html"])
    #expect(SharedDrag(items: Array(repeating: item, count: 1_000)).isShareable)
    #expect(!SharedDrag(items: Array(repeating: item, count: 1_001)).isShareable)
    #expect(!SharedDrag().isShareable)
    #expect(!SharedDrag(items: [.init(name: "without a type")]).isShareable)

    let large = SharedDrag.Item(
      types: (0..<256).map { "text/x-\($0)-" + String(repeating: "x", count: 200) })
    #expect(!SharedDrag(items: Array(repeating: large, count: 20)).isShareable)
  }

  // MARK: The order

  @Test
  func aRunIsKnownOnlyAfterAnAwaitedReply() {
    var peers = DragPeers()
    #expect(peers.judge(Self.envelope(.hint, 1), isAwaited: false) == .unknownRun)
    #expect(peers.judge(Self.envelope(.hint, 2), isAwaited: false) == .unknownRun)
    #expect(peers.judge(Self.envelope(.reply(1, .accepted), 3), isAwaited: true) == .newRun)
    #expect(peers.judge(Self.envelope(.hint, 4), isAwaited: false) == .new)
  }

  @Test
  func repeatedAndReorderedMessagesAreDetected() {
    var peers = DragPeers()
    _ = peers.judge(Self.envelope(.hint, 1), isAwaited: true)
    #expect(peers.judge(Self.envelope(.hint, 5), isAwaited: false) == .new)
    for number: UInt64 in [5, 4, 1] {
      #expect(peers.judge(Self.envelope(.hint, number), isAwaited: false) == .repeated)
      #expect(peers.judge(Self.envelope(.hint, number), isAwaited: true) == .repeated)
    }
    #expect(peers.judge(Self.envelope(.hint, 6), isAwaited: false) == .new)
  }

  @Test
  func messagesOfAnEarlierRunStayUnknown() {
    var peers = DragPeers()
    _ = peers.judge(Self.envelope(.hint, 1), isAwaited: true)
    let later = DragEnvelope(sender: MachineKey(1, 2), run: 4, number: 1, message: .hint)
    #expect(peers.judge(later, isAwaited: false) == .unknownRun)
    #expect(peers.judge(later, isAwaited: true) == .newRun)
    #expect(peers.judge(Self.envelope(.hint, 2), isAwaited: false) == .unknownRun)
    #expect(peers.judge(later, isAwaited: false) == .repeated)
  }

  @Test
  func aMachineThatLeavesIsForgotten() {
    var peers = DragPeers()
    _ = peers.judge(Self.envelope(.hint, 1), isAwaited: true)
    peers.keep { $0 != MachineKey(1, 2) }
    #expect(peers.judge(Self.envelope(.hint, 2), isAwaited: false) == .unknownRun)
  }
}
