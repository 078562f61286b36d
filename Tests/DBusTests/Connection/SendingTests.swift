import Files
import Foundation
import TestSupport
import Testing

@testable import DBus

@Suite("Sending")
struct SendingTests {
  let bus: EchoBus
  let loop: EventLoop
  let sender: Connection

  init() throws {
    bus = try EchoBus()
    loop = try EventLoop()
    sender = try Connection(to: bus.bus.address, on: loop)
  }

  @Test("Messages that are sent while the bus does not read arrive later, complete and in order")
  func order() throws {
    let receiver = try Connection(to: bus.bus.address, on: loop)
    var received: [(number: UInt32, size: Int)] = []
    receiver.subscribe(to: Echo.said) { text, number in received.append((number, text.utf8.count)) }
    try waitForAnswer(of: receiver)
    let sizes = (0..<200).map { $0 % 7 == 0 ? 100_000 : $0 % 3 == 0 ? 20_000 : $0 }
    bus.bus.signal(SIGSTOP)
    for (number, size) in sizes.enumerated() {
      sender.emit(Echo.said, from: "/", String(repeating: "x", count: size), UInt32(number))
    }
    loop.schedule(after: .zero) { [bus] in bus.bus.signal(SIGCONT) }
    loop.wait { received.count == sizes.count }
    #expect(received.map(\.number) == Array(0..<UInt32(sizes.count)))
    #expect(received.map(\.size) == sizes)
  }

  @Test("Descriptors arrive with their message, also among queued messages")
  func descriptors() throws {
    let file = FileDescriptor(adopting: open("/dev/null", O_RDONLY | O_CLOEXEC))
    var answers: [String] = []
    bus.bus.signal(SIGSTOP)
    for number in 1...20 {
      let files = Array(repeating: file, count: number % 3)
      sender.call(Echo.descriptors, at: Echo.path, of: Echo.busName, files) { result in
        answers.append("\(number): \((try? result.get())?.count ?? -1)")
      }
      sender.call(
        Echo.bytes, at: Echo.path, of: Echo.busName, Array(repeating: 1, count: number * 5_000)
      ) { result in answers.append("\(number): \((try? result.get())?.count ?? -1) bytes") }
    }
    loop.schedule(after: .zero) { [bus] in bus.bus.signal(SIGCONT) }
    loop.wait { answers.count == 40 }
    #expect(
      answers == (1...20).flatMap { ["\($0): \($0 % 3)", "\($0): \($0 * 5_000) bytes"] })
  }

  @Test("Closing first sends the queued messages")
  func closing() throws {
    let receiver = try Connection(to: bus.bus.address, on: loop)
    var received: [UInt32] = []
    receiver.subscribe(to: Echo.said) { _, number in received.append(number) }
    try waitForAnswer(of: receiver)
    bus.bus.signal(SIGSTOP)
    let text = String(repeating: "x", count: 50_000)
    for number in 0..<40 { sender.emit(Echo.said, from: "/", text, UInt32(number)) }
    let waking = Thread { [bus] in bus.bus.signal(SIGCONT) }
    waking.start()
    sender.close()
    loop.wait { received.count == 40 }
    #expect(received == Array(0..<40))
  }

  @Test("A connection waits for a bus that reads nothing no longer than the timeout")
  func hangingBus() throws {
    let other = try Connection(to: bus.bus.address, on: loop)
    bus.bus.signal(SIGSTOP)
    defer { bus.bus.signal(SIGCONT) }
    let text = String(repeating: "x", count: 50_000)
    for connection in [sender, other] {
      connection.queue.timeout = .milliseconds(50)
      for number in 0..<40 { connection.emit(Echo.said, from: "/", text, UInt32(number)) }
      #expect(connection.backlog > 0)
    }
    sender.close()
    #expect(sender.backlog == 0)
    #expect(throws: DBusError.self) { try other.names.release("org.example.Nobody") }
    #expect(other.backlog == 0)
  }

  @Test("Arguments that are appended one by one form one list")
  func appending() throws {
    let call = OutgoingMessage.call("Sum", of: Echo.interface, at: Echo.path, to: Echo.busName)
    call.append(Int32(20))
    call.append(Int32(22))
    #expect(call.signature == "ii")
    var sum: Int32?
    sender.send(call) { sum = (try? $0.get().arguments(as: Int32.self, Bool.self))?.0 ?? -1 }
    loop.wait { sum != nil }
    #expect(sum == 42)
  }

  @Test("Every value has its alignment, in any order of types")
  func alignment() throws {
    typealias Mixed = Structure<UInt8, Double, Bool, [Structure<Int16, UInt64>], Signature, Variant>
    let mixed = Mixed(
      1, 0.5, true, [Structure(-2, 3), Structure(4, .max)], "a(nt)", Variant(.int64(-5)))
    let call = OutgoingMessage.call("Variant", of: Echo.interface, at: Echo.path, to: Echo.busName)
    let value = Value.structure([
      .byte(mixed.members.0), .double(mixed.members.1), .boolean(mixed.members.2),
      .array(
        of: "(nt)",
        mixed.members.3.map { .structure([.int16($0.members.0), .uint64($0.members.1)]) }),
      .signature(mixed.members.4), .variant(mixed.members.5.value),
    ])
    call.append(Variant(value))
    var answer: Mixed?
    var failure: DBusError?
    sender.send(call) { result in
      do { answer = try result.get().content(as: Mixed.self) } catch {
        failure = error as? DBusError
      }
    }
    loop.wait { answer != nil || failure != nil }
    let members = try #require(answer).members
    #expect(members.0 == 1 && members.1 == 0.5 && members.2 && members.4 == "a(nt)")
    #expect(members.3.map(\.members.1) == [3, .max])
    #expect(members.5 == Variant(.int64(-5)))
  }

  /// The messages that the receiver got.
  private final class Log {
    var lines: [String] = []
    var isWhole: Bool { lines.last == "the end 0" }
  }

  private static let bytes = SignalDeclaration<Arguments<[UInt8]>>(
    Echo.interface, "Bytes", "bytes")
  private static let files = SignalDeclaration<Arguments<[FileDescriptor]>>(
    Echo.interface, "Files", "files")

  /// Returns the messages that another connection receives while `body` runs, as words or as
  /// counts.
  private func heard(_ body: () -> Void) throws -> [String] {
    let (receiver, log) = (try Connection(to: bus.bus.address, on: loop), Log())
    receiver.subscribe(to: Echo.said) { log.lines.append("\($0) \($1)") }
    receiver.subscribe(to: Self.bytes) { log.lines.append("\($0.count) bytes") }
    receiver.subscribe(to: Self.files) { log.lines.append("\($0.count) files") }
    try waitForAnswer(of: receiver)
    body()
    sender.emit(Echo.said, from: "/", "the end", 0)
    loop.wait { log.isWhole }
    return log.lines.dropLast()
  }

  private func say(_ text: String) { sender.emit(Echo.said, from: "/", text, 1) }
  private func send(bytes count: Int) {
    sender.emit(Self.bytes, from: "/", [UInt8](repeating: 7, count: count))
  }
  private func send(files count: Int) {
    let file = FileDescriptor(adopting: open("/dev/null", O_RDONLY | O_CLOEXEC))
    sender.emit(Self.files, from: "/", Array(repeating: file, count: count))
  }

  private static let texts = SignalDeclaration<Arguments<[String]>>(
    Echo.interface, "Texts", "texts")

  @Test("A message too large for the bus damages no other message, and its memory is freed")
  func tooLarge() throws {
    let (rounds, text) = (16, String(repeating: "x", count: 1 << 20))
    let before = try residentBytes()
    let lines = try heard {
      // The connection cannot send while the bus is stopped.
      bus.bus.signal(SIGSTOP)
      for _ in 0..<rounds {
        say("before")
        send(bytes: 64 << 20 + 1)
        sender.emit(Self.texts, from: "/", Array(repeating: text, count: 65))
        send(bytes: 64 << 10)
        say("behind")
      }
      // Sixteen messages of 65 MiB would exceed this limit if the connection stored them.
      #expect(try! residentBytes() - before < 512 << 20)
      bus.bus.signal(SIGCONT)
    }
    #expect(
      lines == (0..<rounds).flatMap { _ in ["before 1", "65536 bytes", "behind 1"] })
  }

  /// Returns the resident memory of this process in bytes.
  private func residentBytes() throws -> Int {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
      separator: " ")
    return try #require(Int(pages[1])) * Int(getpagesize())
  }

  /// A value that sends a message while it is encoded.
  private struct Chatty: BusValue {
    let text: String
    let connection: Connection

    static var signature: Signature { String.signature }
    static var wireAlignment: Int { String.wireAlignment }
    static func read(from reader: inout MessageReader) throws(DBusError) -> Chatty {
      throw DBusError(.failed, "it is only sent")
    }
    func write(to writer: inout MessageWriter) {
      connection.emit(Echo.said, from: "/", "while \(text)", 2)
      text.write(to: &writer)
    }
  }

  @Test("A message that is sent during the encoding of another one is a separate message")
  func nested() throws {
    let said = SignalDeclaration<Arguments<Chatty, UInt32>>(
      Echo.interface, "Said", "text", "number")
    let lines = try heard {
      say("before")
      for text in ["a", "b"] {
        sender.emit(said, from: "/", Chatty(text: text, connection: sender), 3)
      }
    }
    #expect(lines.first == "before 1")
    #expect(lines.sorted() == ["a 3", "b 3", "before 1", "while a 2", "while b 2"])
  }

  /// Waits until the bus has received everything that the connection has sent.
  private func waitForAnswer(of connection: Connection) throws {
    var isAnswered = false
    connection.call(BusInterface.nameHasOwner, at: BusInterface.path, of: .bus, "a.b") { _ in
      isAnswered = true
    }
    loop.wait { isAnswered }
  }
}
