import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("Memory after large calls")
struct IdleTrimTests {
  @Test("The memory of a large reply returns to the system when calls stop")
  func largeReply() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let texts = (0..<10_000).map { "\($0)" }
    for _ in 0..<10 { _ = try client.call(BoardInterface.insertTexts, 0, -1, texts) }
    let before = daemon.kibibytes("RssAnon")
    _ = try client.call(BoardInterface.getSnapshot)
    // The reply has 100,000 ids of 36 bytes. Without a trim, half of its memory stays allocated.
    let limit = before + 2_048
    let deadline = ContinuousClock.now + .seconds(60)
    while daemon.kibibytes("RssAnon") > limit {
      try #require(ContinuousClock.now < deadline, "\(daemon.kibibytes("RssAnon")) of \(limit) KiB")
      usleep(10_000)
    }
    #expect(daemon.kibibytes("VmHWM") - daemon.kibibytes("VmRSS") > 3_000)
  }
}
