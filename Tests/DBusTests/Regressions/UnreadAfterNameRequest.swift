import DBus
import TestSupport
import Testing

@Suite("Regression: a message stayed unread after a name was requested")
struct UnreadAfterNameRequest {
  @Test("A message that arrives during the request for a name is handled in the same iteration")
  func atTheEndOfABatch() throws {
    let bus = try EchoBus()
    let loop = try EventLoop()
    let receiver = try Connection(to: bus.bus.address, on: loop)
    let sender = try Connection(to: bus.bus.address, on: EventLoop())
    var seen: String?
    receiver.subscribe(to: Echo.said) { text, _ in seen = text }
    receiver.onIterationEnd = { [unowned receiver] in
      receiver.onIterationEnd = nil
      _ = try? receiver.names.request("org.example.Receiver")
      sender.emit(Echo.said, from: "/", "hello", 1)
      // The bus forwards the signal before it answers this call.
      _ = try? sender.names.request("org.example.Sender")
      // The connection owns the name already, so only the answer arrives, after the signal.
      _ = try? receiver.names.request("org.example.Receiver")
    }
    var isLate = false
    loop.schedule(after: .seconds(10)) { isLate = true }
    loop.wait { seen != nil || isLate }
    #expect(seen == "hello")
    #expect(!isLate)
  }
}
