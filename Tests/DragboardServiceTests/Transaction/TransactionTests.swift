import DBus
import DragboardStore
import Files
import Foundation
import Logging
import TestSupport
import Testing

@testable import DragboardService
@testable import dragboardd

@Suite("Messages of a transaction")
struct TransactionTests {
  private let bus: PrivateBus
  private let loop: EventLoop
  private let sender: Connection
  private let server: ObjectServer
  private let transactions: Transactions
  private let orders: FaultyStore.Orders

  init() throws {
    bus = try PrivateBus()
    loop = try EventLoop()
    sender = try Connection(to: bus.address, on: loop)
    server = ObjectServer(sender)
    let store = try FaultyStore(directory: bus.home.path + "/data")
    orders = store.orders
    transactions = Transactions(
      server, store,
      Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  private static let interface: InterfaceName = "org.example.Talk"
  private static let said = SignalDeclaration<Arguments<String>>(interface, "Said", "text")
  private static let bytes = SignalDeclaration<Arguments<[UInt8]>>(interface, "Bytes", "bytes")
  private static let files = SignalDeclaration<Arguments<[FileDescriptor]>>(
    interface, "Files", "files")

  private func say(_ text: String) { transactions.outbox.emit(Self.said, from: "/", text) }
  private func send(bytes count: Int) {
    transactions.outbox.emit(Self.bytes, from: "/", [UInt8](repeating: 7, count: count))
  }
  private func send(files count: Int) {
    let file = FileDescriptor(adopting: open("/dev/null", O_RDONLY | O_CLOEXEC))
    transactions.outbox.emit(Self.files, from: "/", Array(repeating: file, count: count))
  }

  /// The signals that a connection has received.
  private final class Log {
    var lines: [String] = []
    var isWhole: Bool { lines.last == "the end" }
  }

  /// Waits until the bus has answered a call that `connection` sends now.
  private func waitForAnswer(of connection: Connection) {
    var isAnswered = false
    connection.call(BusInterface.nameHasOwner, at: BusInterface.path, of: .bus, "a.b") { _ in
      isAnswered = true
    }
    loop.wait { isAnswered }
  }

  /// Returns the signals that another connection receives while `body` runs.
  private func heard(_ body: (Log) throws -> Void) throws -> [String] {
    let (receiver, log) = (try Connection(to: bus.address, on: loop), Log())
    receiver.subscribe(to: Self.said) { log.lines.append($0) }
    receiver.subscribe(to: Self.bytes) { log.lines.append("\($0.count) bytes") }
    receiver.subscribe(to: Self.files) { log.lines.append("\($0.count) files") }
    waitForAnswer(of: receiver)
    try body(log)
    sender.emit(Self.said, from: "/", "the end")
    loop.wait { log.isWhole }
    return log.lines.dropLast()
  }

  @Test("The commit sends the messages in order, large ones and descriptors included")
  func order() throws {
    let lines = try heard { log in
      transactions.current.open()
      say("first")
      send(bytes: 300_000)
      send(files: 2)
      transactions.beginStep()
      send(bytes: 70_000)
      send(files: 0)
      say("last")
      #expect(sender.backlog > 370_000)
      waitForAnswer(of: sender)
      #expect(log.lines.isEmpty)
      transactions.endIteration()
      #expect(sender.backlog < 370_000)
      #expect(!sender.readsAhead)
    }
    #expect(lines == ["first", "300000 bytes", "2 files", "70000 bytes", "0 files", "last"])
  }

  @Test("The messages of a commit follow queued messages")
  func behindOthers() throws {
    var expected = ["1048576 bytes"]
    let lines = try heard { _ in
      bus.signal(SIGSTOP)
      send(bytes: 1 << 20)
      for round in 1...3_000 {
        transactions.current.open()
        say("round \(round)")
        expected.append("round \(round)")
        if round % 1_000 == 0 {
          send(bytes: 100_000)
          send(files: 1)
          expected += ["100000 bytes", "1 files"]
        }
        transactions.endIteration()
      }
      #expect(sender.backlog > 1 << 20)
      bus.signal(SIGCONT)
    }
    #expect(lines == expected)
  }

  @Test("A failed commit drops the signals of uncommitted steps, and nothing else")
  func failure() throws {
    let lines = try heard { _ in
      for round in 1...2 {
        orders.fail(.commit)
        transactions.beginStep()
        transactions.current.open()
        say("never")
        send(bytes: 100_000 + round)
        transactions.current.onRollback { [transactions] in
          transactions.outbox.emit(Self.said, from: "/", "while restoring")
        }
        transactions.beginStep()
        say("certain")
        send(files: round)
        transactions.beginStep()
        // A message that a step sends before its first edit is uncommitted, too.
        send(files: 3)
        transactions.current.open()
        say("never")
        transactions.beginStep()
        say("certain, too")
        transactions.endIteration()
        #expect(
          !transactions.isOpen && !transactions.current.isUncommitted
            && transactions.outbox.byteCount == 0)
      }
    }
    #expect(lines == (1...2).flatMap { ["certain", "\($0) files", "certain, too"] })
  }

  @Test("A failed commit turns replies of uncommitted steps into its error, in place")
  func replies() throws {
    let (log, asks) = (Log(), Asks())
    server.export("/talk", [ObjectInterface(Asks.table, of: asks)])
    let client = try Connection(to: bus.address, on: loop)
    for text in ["a", "b", "c"] {
      client.call(Asks.ask, at: "/talk", of: BusName(unchecked: sender.uniqueName), text) {
        switch $0 {
        case .success(let answer): log.lines.append(answer)
        case .failure(let error): log.lines.append("\(text): \(error.name.text)")
        }
      }
    }
    loop.wait { asks.replies.count == 3 }
    orders.fail(.commit)
    transactions.beginStep()
    transactions.current.open()
    asks.replies[0].send("never")
    transactions.beginStep()
    asks.replies[1].send("certain")
    transactions.beginStep()
    transactions.current.open()
    asks.replies[2].refuse(DBusError(.invalidArgs, "because of uncommitted state"))
    transactions.current.onRollback { asks.replies[0].send("once more") }
    transactions.endIteration()
    asks.replies[0].send("too late")
    loop.wait { log.lines.count == 3 }
    #expect(
      log.lines == ["a: \(ErrorName.ioError)", "certain", "c: \(ErrorName.ioError)"])
  }

  /// An object that stores the calls that it gets.
  private final class Asks {
    static let ask = MethodDeclaration<Arguments<String>, Arguments<String>>(
      interface, "Ask", in: "text", out: "answer")
    var replies: [Reply<String>] = []

    static var table: InterfaceTable<Asks, Call> {
      var table = InterfaceTable<Asks, Call>(interface)
      table.deferredMethod(ask) { asks, _, reply, _ in asks.replies.append(reply) }
      return table
    }
  }

  @Test("A signal too large for the bus does not damage the others of the transaction")
  func tooLarge() throws {
    let lines = try heard { _ in
      transactions.current.open()
      say("before")
      send(bytes: 64 << 20 + 1)
      say("behind")
      #expect(transactions.outbox.byteCount < 64 << 10)
      transactions.endIteration()
    }
    #expect(lines == ["before", "behind"])
  }

  @Test("A call to another connection is sent at once in an open transaction")
  func calls() throws {
    let lines = try heard { log in
      transactions.current.open()
      say("held")
      var answer: Bool?
      sender.call(
        BusInterface.nameHasOwner, at: BusInterface.path, of: .bus, sender.uniqueName
      ) { answer = try? $0.get() }
      loop.wait { answer != nil }
      #expect(answer == true)
      #expect(transactions.isOpen && log.lines.isEmpty)
      transactions.endIteration()
    }
    #expect(lines == ["held"])
  }

  @Test("The messages of an action are sent in the same iteration")
  func stepsOfActions() throws {
    let lines = try heard { _ in
      transactions.beginStep()
      transactions.current.open()
      say("committed")
      transactions.current.afterCommit { [transactions] in
        transactions.step { step in
          step.open()
          step.emit(Self.said, from: "/", "an edit of an action")
          step.afterCommit { transactions.step { $0.emit(Self.said, from: "/", "the last") } }
        }
      }
      transactions.endIteration()
      #expect(!transactions.isOpen && transactions.outbox.byteCount == 0)
    }
    #expect(lines == ["committed", "an edit of an action", "the last"])
  }

  @Test("A subscription in an open transaction is sent at once, and outlives a failed commit")
  func subscription() throws {
    let log = Log()
    orders.fail(.commit)
    transactions.current.open()
    sender.subscribe(to: Self.said) { log.lines.append($0) }
    transactions.endIteration()
    let other = try Connection(to: bus.address, on: loop)
    waitForAnswer(of: sender)
    other.emit(Self.said, from: "/", "the end")
    loop.wait { log.isWhole }
    #expect(log.lines == ["the end"])
  }
}
