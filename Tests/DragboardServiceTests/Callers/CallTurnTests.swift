import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite(
  "Many calls of one client beside single calls of another client")
struct CallTurnTests {
  private let daemon: Daemon
  private let many: BusClient
  private let single: BusClient

  init() throws {
    daemon = try Daemon()
    many = try daemon.client()
    single = try daemon.client()
    _ = try many.get(BoardInterface.count)
  }

  private static func insertions(_ texts: Range<Int>) -> [OutgoingMessage] {
    texts.map { call(BoardInterface.insertText, 0, -1, "\($0)") }
  }

  /// Returns a call with a descriptor that the daemon refuses at once.
  private func refusal() throws -> OutgoingMessage {
    call(BoardInterface.insertFile, 9, -1, "a/b", try TestFile.sealed([1, 2, 3]))
  }

  private func count() throws -> Int { Int(try single.get(BoardInterface.count)) }

  /// Sends calls that the daemon receives together, just after a call of the other client.
  private func sendInCompany(
    _ calls: [OutgoingMessage], then body: () throws -> Void = {}
  ) throws -> Outstanding {
    _ = try count()
    daemon.signal(SIGSTOP)
    let outstanding = many.send(calls)
    try body()
    daemon.signal(SIGCONT)
    return outstanding
  }

  /// Returns the number of rows that a client sees if its call follows the insertions of another
  /// client.
  private func countSeen(behind calls: [OutgoingMessage]) throws -> Int {
    var question: Outstanding?
    let outstanding = try sendInCompany(calls) {
      question = single.send([getting(BoardInterface.count)])
    }
    let answer = try #require(question?.all().first).get()
    #expect(Set(outstanding.errors()).isSubset(of: ["", "InvalidArgs"]))
    return Int(try answer.content(as: UInt32.self))
  }

  @Test("The single call is answered before the last of many calls, which stay in order")
  func overtakes() throws {
    var (sent, seen) = (0, 0)
    // The daemon may receive the single call after it has served the others.
    while seen == sent, sent < 20_000 {
      seen = try countSeen(behind: Self.insertions(sent..<sent + 200))
      sent += 200
    }
    #expect(seen < sent)
    #expect(try many.texts() == (0..<sent).map { "\($0)" })
  }

  @Test("1,024 calls of a client wait; if there are more, all are answered")
  func most() throws {
    #expect(try countSeen(behind: Self.insertions(0..<1_300)) >= 1_300 - 1_024)
  }

  @Test("A call with a descriptor waits for its turn, and so do the calls before it")
  func descriptors() throws {
    #expect(try countSeen(behind: Self.insertions(0..<1_000) + [refusal()]) < 1_000)
  }

  @Test(
    "Any number of calls, with descriptors or without, is answered in order, each call once",
    arguments: [17, 600, 3_000])
  func order(count: Int) throws {
    var calls = Self.insertions(0..<count)
    calls[count / 2] = try refusal()
    let outstanding = try sendInCompany(calls)
    for _ in 0..<100 { _ = try self.count() }
    let errors = outstanding.errors()
    #expect(errors.filter { $0 != "" } == ["InvalidArgs"])
    #expect(errors[count / 2] != "")
    #expect(try many.texts() == (0..<count).filter { $0 != count / 2 }.map { "\($0)" })
  }

  @Test("The order is the same if the client does not read its answers")
  func unread() throws {
    let size = 1_000_000
    let row = try single.call(
      BoardInterface.insertData, 0, 0, "application/x-data", pattern(size))
    _ = try count()
    var (answered, refused) = (0, 0)
    for number in 0..<400 {
      let call =
        number < 100
        ? call(BoardInterface.getData, row, "*/*")
        : call(BoardInterface.insertText, 0, -1, "\(number)")
      // The answers are released at once, because libdbus stops reading while it holds too many
      // messages.
      many.connection.send(call, timeout: nil) {
        answered += 1
        if case .failure = $0 { refused += 1 }
      }
    }
    for _ in 0..<200 { _ = try count() }
    many.connection.loop.wait { answered == 400 }
    #expect(refused == 0)
    #expect(try Array(many.texts().dropFirst()) == (100..<400).map { "\($0)" })
  }

  @Test("The calls of a client that has left are executed, and its sessions end")
  func leaves() throws {
    let sessions = (0..<100).map { _ in
      call(ManagerInterface.beginTextDrag, at: Dragboard.root, many.name, ["x"])
    }
    _ = try sendInCompany(sessions + Self.insertions(0..<100)) { many.connection.close() }
    while try count() < 100 {}
    while try !single.get(ManagerInterface.sessions, at: Dragboard.root).isEmpty {}
    #expect(try single.texts() == (0..<100).map { "\($0)" })
  }

  @Test("The departure of a client is handled after its waiting calls")
  func finishesBeforeLeaving() throws {
    let session = try single.drag(["x"])
    try many.accept(session)
    _ = try sendInCompany(
      Self.insertions(0..<500) + [call(DragSessionInterface.finish, at: session)]
    ) { many.connection.close() }
    while try count() < 500 {}
    while try single.get(DragSessionInterface.state, at: session) != "ended" {}
    #expect(try single.standing(of: session) == "ended copy")
  }

  @Test("A daemon that stops answers the waiting calls first, each in its own transaction")
  func told() throws {
    let boards = (0..<200).map { call(ManagerInterface.createBoard, at: Dragboard.root, "\($0)") }
    let outstanding = try sendInCompany(boards + Self.insertions(0..<400)) {
      daemon.signal(SIGTERM)
    }
    #expect(outstanding.errors() == [String](repeating: "", count: 600))
    #expect(daemon.waitForExit() == .exited(0))
    try daemon.start()
    #expect(try daemon.client().texts() == (0..<400).map { "\($0)" })
  }
}
