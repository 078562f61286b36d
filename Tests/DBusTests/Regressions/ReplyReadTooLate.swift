import DBus
import Foundation
import TestSupport
import Testing

@Suite("Regression: a call failed although its reply had arrived")
struct ReplyReadTooLate {
  @Test(
    "A client that was delayed beyond its timeout accepts the reply that arrived meanwhile")
  func heldUp() throws {
    let bus = try EchoBus()
    let loop = try EventLoop()
    let connection = try Connection(to: bus.bus.address, on: loop)
    var outcome: Result<(), DBusError>?
    let timeout = Duration.milliseconds(200)
    connection.call(Echo.nothing, at: Echo.path, of: Echo.busName, timeout: timeout) {
      outcome = $0
    }
    // The service answers in order, so when this answer arrives, the first answer has arrived, too.
    let other = try Connection(to: bus.bus.address, on: EventLoop())
    var isAnswered = false
    other.call(Echo.nothing, at: Echo.path, of: Echo.busName, timeout: nil) { _ in
      isAnswered = true
    }
    // This timer starts after the timeout of the first call, so that it also fires after it.
    var isLate = false
    other.loop.schedule(after: timeout) { isLate = true }
    other.loop.wait { isAnswered && isLate }
    loop.wait { outcome != nil }
    #expect(throws: Never.self) { try outcome?.get() }
  }
}
