import DBus
import Foundation
import TestSupport
import Testing

@Suite("Regression: a watch was handled after libdbus had freed it")
struct BusDiesWhileWriting {
  @Test("If the bus dies while data is queued in both directions, the connection ends normally")
  func moreToWrite() throws {
    let bus = try PrivateBus()
    let loop = try EventLoop()
    let connection = try Connection(to: bus.address, on: loop)
    var events: [String] = []
    connection.onDisconnect = { events.append("disconnected") }
    bus.signal(SIGSTOP)
    for number in 1...3 {
      connection.call(
        Echo.bytes, at: "/", of: Echo.busName, timeout: nil, Array(repeating: 1, count: 1 << 22)
      ) { events.append("call \(number): \($0.failure?.name.text ?? "answered")") }
    }
    loop.schedule(after: .zero) { bus.signal(SIGKILL) }
    loop.wait { events.last == "disconnected" }
    let error = ErrorName.disconnected.text
    #expect(events == (1...3).map { "call \($0): \(error)" } + ["disconnected"])
  }
}
