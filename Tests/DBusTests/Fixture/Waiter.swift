import DBus
import Testing

/// An object whose answers the test controls.
///
/// `@unchecked` is safe, because only the service's loop uses it.
final class Waiter: @unchecked Sendable {
  static let path: ObjectPath = "/org/example/Waiter"
  static let interface: InterfaceName = "org.example.Waiter"

  typealias Asking = MethodDeclaration<Arguments<String>, Arguments<String>>
  /// Stores its reply under the text of the argument.
  static let ask = Asking(interface, "Ask", in: "text", out: "answer")
  /// Stores its reply and throws an error with the text as its message.
  static let throwing = Asking(interface, "Throw", in: "text", out: "answer")
  /// Answers several times; the words of the text are "send", "refuse", and at the end "throw".
  static let repeating = Asking(interface, "Repeat", in: "text", out: "answer")
  /// Releases its reply without an answer.
  static let forget = Asking(interface, "Forget", in: "text", out: "answer")
  /// Notes a change of Level, and answers before it returns.
  static let change = MethodDeclaration<Arguments<UInt32>, Arguments<UInt32, UInt32>>(
    interface, "Change", in: "level", out: "before", "after")
  /// Stores its reply.
  static let fetch = MethodDeclaration<Arguments<>, Arguments<[UInt8]>>(
    interface, "Fetch", out: "bytes")

  static let level = PropertyDeclaration<UInt32>(interface, "Level")

  private(set) var replies: [String: Reply<String>] = [:]
  private(set) var fetching: [Reply<[UInt8]>] = []
  /// The number of calls.
  private(set) var calls = 0
  private var level: UInt32 = 0
  private unowned let server: ObjectServer

  init(_ server: ObjectServer) { self.server = server }

  static func table() -> InterfaceTable<Waiter, Call> {
    var table = InterfaceTable<Waiter, Call>(interface)
    table.deferredMethod(ask) { (waiter, _, reply, text) throws(DBusError) in
      waiter.keep(reply, text)
    }
    table.deferredMethod(throwing) { (waiter, _, reply, text) throws(DBusError) in
      waiter.keep(reply, text)
      throw DBusError(.invalidArgs, text)
    }
    table.deferredMethod(repeating) { (waiter, _, reply, text) throws(DBusError) in
      try waiter.answer(reply, in: text.split(separator: " "))
    }
    table.deferredMethod(forget) { (waiter, _, _, _) throws(DBusError) in waiter.calls += 1 }
    table.deferredMethod(change) { (waiter, _, reply, level) throws(DBusError) in
      let before = waiter.level
      waiter.setLevel(level)
      reply.send(before, level)
    }
    table.deferredMethod(fetch) { (waiter, _, reply) throws(DBusError) in
      waiter.calls += 1
      waiter.fetching.append(reply)
    }
    table.property(Waiter.level) { $0.level }
    return table
  }

  private func keep(_ reply: Reply<String>, _ text: String) {
    calls += 1
    replies[text] = reply
  }

  private func answer(_ reply: Reply<String>, in ways: [Substring]) throws(DBusError) {
    calls += 1
    for (number, way) in ways.enumerated() {
      let error = DBusError(.ioError, "refused \(number)")
      switch way {
      case "send": reply.send("sent \(number)")
      case "refuse": reply.refuse(error)
      default: throw error
      }
    }
  }

  /// Changes the property, and notes the change for clients.
  func setLevel(_ level: UInt32) {
    self.level = level
    server.noteChange(of: Waiter.level, at: Waiter.path)
  }

  /// Releases all stored replies.
  func forgetAll() { (replies, fetching) = ([:], []) }
}
