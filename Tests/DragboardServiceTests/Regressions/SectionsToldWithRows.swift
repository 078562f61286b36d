import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Regression: rows reported as a reset changed the property Sections")
struct SectionsToldWithRows {
  @Test("More than 10,000 inserted rows are reported as a reset, and no property changes")
  func reset() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    try client.insert((0...10_000).map { "\($0)" })
    let signals = client.takeSignals()
    #expect(signals.map(\.member) == ["Changed"])
    let kinds = try signals.flatMap { signal in
      try signal.message.arguments(as: UInt64.self, UInt64.self, [WireChange].self).2
        .map(\.members.0)
    }
    #expect(kinds == ["reset"])
  }
}
