import DragboardService
import Foundation
import TestSupport
import Testing

@Suite("The specification's table of limits")
struct LimitsTableTests {
  private static let limits = Limits()
  private static let counts = [
    ("max-sessions-per-application", limits.maxSessionsPerApplication),
    ("max-sessions", limits.maxSessions), ("max-items", limits.maxItems),
    ("max-rows", limits.maxRows), ("max-boards", limits.maxBoards),
    ("max-sections", limits.maxSections), ("max-views", limits.maxViews),
    ("undo-steps", limits.undoSteps),
  ]
  private static let bytes = [
    ("max-representation-bytes", limits.maxRepresentationBytes),
    ("max-session-bytes", limits.maxSessionBytes), ("max-bytes", limits.maxBytes),
    ("undo-bytes", limits.undoBytes), ("max-sandbox-bytes", limits.maxSandboxBytes),
  ]
  private static let timeouts = [
    ("session-timeout", limits.sessionTimeout), ("load-timeout", limits.loadTimeout),
    ("idle-timeout", limits.idleTimeout),
  ]

  @Test("Each limit has the default of the service")
  func defaults() throws {
    let specification = try Checkout.text(
      of: "Sources/DragboardInterface/Interfaces/specification.md")
    var rows: [String: String] = [:]
    for match in specification.matches(of: /\| ([^|\n]+) \| `([a-z-]+)` \|\n/) {
      rows[String(match.2)] = String(match.1)
    }
    for (name, count) in Self.counts { #expect(rows[name] == grouped(count), "\(name)") }
    for (name, count) in Self.bytes {
      #expect(rows[name] == (count < 1 << 30 ? "\(count >> 20) MiB" : "\(count >> 30) GiB"))
    }
    for (name, time) in Self.timeouts {
      #expect(rows[name] == "\(time.components.seconds) s", "\(name)")
    }
    #expect(rows.count == Self.counts.count + Self.bytes.count + Self.timeouts.count)
  }

  /// Returns a number in the format of the table: `1,000,000`.
  private func grouped(_ number: Int) -> String {
    var digits = Array(String(number))
    for place in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: place) }
    return String(digits)
  }
}
