import DragboardInterface
import TestSupport
import Testing

@testable import DBus

@Suite("A client that does not read its answers")
struct UnreadAnswerTests {
  private static let most = 64 << 20

  let daemon: Daemon
  let silent: BusClient
  let other: BusClient

  init() throws {
    daemon = try Daemon()
    silent = try daemon.client()
    other = try daemon.client()
  }

  /// Waits until the bus holds `count` bytes for the client that does not read.
  private func waitForUnread(_ count: Int) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try unread() < count {
      try #require(ContinuousClock.now < deadline, "fewer than \(count) bytes")
    }
  }

  /// Returns the number of bytes that the bus holds for the client that does not read.
  private func unread() throws -> Int {
    let question = OutgoingMessage.call(
      BusInterface.getConnectionStats.description.name,
      of: BusInterface.getConnectionStats.interface, at: BusInterface.path, to: .bus)
    question.append(silent.connection.uniqueName)
    let stats = try other.wait(for: question).arguments(as: [String: Variant].self)
    guard case .uint32(let count)? = stats["OutgoingBytes"]?.value else { return -1 }
    return Int(count)
  }

  /// Waits until the daemon has received all calls of the client that does not read.
  private func waitUntilAsked() throws {
    var isTold = false
    other.connection.onCall = { _ in isTold = true }
    silent.connection.send(
      .call("Told", of: PeerInterface.name, at: "/", to: try BusName(other.name)), timeout: nil
    ) { _ in }
    silent.connection.queue.finish()
    // The bus has forwarded all earlier messages by now, and the daemon answers in order.
    other.connection.loop.wait { isTold }
    _ = try other.get(BoardInterface.count)
  }

  /// Sends `count` calls without reading, checks the backlog at the bus, then reads the answers.
  private func ask(_ question: @autoclosure () -> OutgoingMessage, _ count: Int, answerSize: Int)
    throws
  {
    let expected = try other.wait(for: question()).signature
    var answers: [Signature?] = []
    for _ in 0..<count {
      silent.connection.send(question(), timeout: nil) { answers.append(try? $0.get().signature) }
    }
    try waitForUnread(Self.most - 2 * answerSize)
    for _ in 0..<200 { #expect(try other.get(BoardInterface.count) > 0) }
    // Answers that are sent while the daemon asks the bus exceed the limit.
    #expect(try unread() < Self.most + 4 * answerSize + (4 << 20))
    silent.connection.loop.wait { answers.count == count }
    #expect(answers == [Signature?](repeating: expected, count: count))
    #expect(try silent.get(BoardInterface.count) > 0)
  }

  @Test("The bus holds a limited backlog for the client, which gets the rest later")
  func contents() throws {
    let size = 1_000_000
    let row = try other.call(BoardInterface.insertData, 0, 0, "application/x-data", pattern(size))
    try ask(call(BoardInterface.getData, row, "*/*"), 100, answerSize: size)
  }

  @Test("The backlog of immediate answers has the same limit")
  func texts() throws {
    let (rows, length) = (16, 60_000)
    try other.insert([String](repeating: String(repeating: "x", count: length), count: rows))
    let size = rows * length
    try ask(
      call(BoardInterface.getTexts, 0, 0, UInt32(rows)), Self.most * 3 / 2 / size, answerSize: size)
  }

  @Test("1,024 calls wait until the client reads, and more are refused")
  func calls() throws {
    let size = 1_000_000
    let row = try silent.call(BoardInterface.insertData, 0, 0, "application/x-data", pattern(size))
    var errors: [ErrorName?] = []
    func ask(_ question: @autoclosure () -> OutgoingMessage, _ count: Int) {
      for _ in 0..<count {
        silent.connection.send(question(), timeout: nil) { answer in
          guard case .failure(let error) = answer else { return errors.append(nil) }
          errors.append(error.name)
        }
      }
    }
    ask(call(BoardInterface.getData, row, "*/*"), 100)
    try waitForUnread(Self.most)
    ask(getting(BoardInterface.count), 1_224)
    try waitUntilAsked()
    silent.connection.loop.wait { errors.count == 1_324 }
    let refused = errors.compactMap { $0 }
    #expect(Set(refused) == [.limitsExceeded])
    // Some of the first hundred calls wait, too.
    #expect(200..<300 ~= refused.count)
  }

  @Test("64 MiB of calls wait until the client reads, and more are refused")
  func callBytes() throws {
    let size = 1_000_000
    let row = try silent.call(BoardInterface.insertData, 0, 0, "application/x-data", pattern(size))
    var (answered, refused, wrong) = (0, 0, 0)
    func ask(_ question: @autoclosure () -> OutgoingMessage, _ count: Int) {
      for _ in 0..<count {
        silent.connection.send(question(), timeout: nil) { answer in
          answered += 1
          guard case .failure(let error) = answer else { return }
          if error.name == .limitsExceeded { refused += 1 } else { wrong += 1 }
        }
      }
    }
    ask(call(BoardInterface.getData, row, "*/*"), 100)
    try waitForUnread(Self.most)
    // The waiting calls fail later, because their section does not exist.
    ask(call(BoardInterface.insertData, 9, 0, "application/x-data", pattern(1 << 20)), 80)
    try waitUntilAsked()
    silent.connection.loop.wait { answered == 180 }
    #expect(wrong == 63)
    #expect(refused == 17)
  }

  @Test("A call with a descriptor does not wait until the client reads: it is refused")
  func descriptors() throws {
    let size = 1_000_000
    let row = try silent.call(BoardInterface.insertData, 0, 0, "application/x-data", pattern(size))
    var answered = 0
    for _ in 0..<100 {
      silent.connection.send(call(BoardInterface.getData, row, "*/*"), timeout: nil) { _ in
        answered += 1
      }
    }
    try waitForUnread(Self.most)
    let file = try TestFile.sealed([1, 2, 3])
    var error: ErrorName?
    silent.connection.send(call(BoardInterface.insertFile, 9, -1, "a/b", file), timeout: nil) {
      if case .failure(let refusal) = $0 { error = refusal.name }
    }
    try waitUntilAsked()
    silent.connection.loop.wait { answered == 100 && error != nil }
    #expect(error == .limitsExceeded)
  }

  @Test("A client that leaves the bus is forgotten with its unread answers")
  func leaves() throws {
    let size = 1_000_000
    let row = try other.call(
      BoardInterface.insertData, 0, 0, "application/x-data", pattern(size))
    for _ in 0..<100 {
      silent.connection.send(call(BoardInterface.getData, row, "*/*"), timeout: nil) { _ in }
    }
    try waitForUnread(Self.most - 2 * size)
    silent.connection.close()
    expect(try other.call(BoardInterface.getData, row, "*/*"), are: pattern(size))
    #expect(daemon.terminate() == .exited(0))
  }
}
