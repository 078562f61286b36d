import BoardModel
import DragModel
import TestSupport
import Testing

@Suite("Any series of events")
struct DragSessionRandomTests {
  @Test("A session ends once, stays ended, and its operation tells of its state", arguments: 1...8)
  func invariants(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var ended = 0
    for _ in 0..<500 {
      var player = Player()
      for _ in 0..<Int.random(in: 0...24, using: &random) {
        try player.play(UInt8.random(in: 0...255, using: &random))
      }
      ended += player.conclusions
    }
    #expect(ended > 100)
  }
}

/// Plays bytes as events, and holds the session against what it may have become.
private struct Player {
  var session = DragSession(
    source: .uniqueName(":1.1"),
    limits: SessionLimits(maxItems: 4, maxRepresentationBytes: 8, maxSessionBytes: 16))
  /// How often the session has ended.
  var conclusions = 0
  /// Whether WillEnd has been told.
  var toldWillEnd = false

  mutating func play(_ byte: UInt8) throws {
    let before = session
    let conclusion = try event(byte)
    if let conclusion { conclude(conclusion, before: before) }
    checkStep(before: before, ended: conclusion != nil)
    checkState()
  }

  /// The low bits say which event, the high ones with what.
  private mutating func event(_ byte: UInt8) throws -> DragConclusion? {
    let detail = Int(byte >> 4)
    let operation = DropOperation.allCases[detail % 4]
    let proposal = DropProposal(operation: operation, destination: IndexPath(section: 0, row: 0))
    switch byte & 0x0F {
    case 0...3: _ = try? session.add(.text(bytes: detail))
    case 4: try? session.register(.sample("x/\(detail % 3)", bytes: detail), item: detail % 5)
    case 5: try? session.setAllowsMove(detail.isMultiple(of: 2))
    case 6: try? session.setRestrictedToApplication(detail.isMultiple(of: 2))
    case 7, 8: try? session.didPropose(proposal)
    case 9, 10: return drop(proposal)
    case 11, 12: return session.endDrop(succeeded: detail.isMultiple(of: 2))
    case 13: return session.connectionLeft(detail.isMultiple(of: 2) ? ":1.1" : ":1.2")
    case 14: return try? session.cancel()
    default: return detail.isMultiple(of: 2) ? session.timeOut() : session.shutDown()
    }
    return nil
  }

  private mutating func drop(_ proposal: DropProposal) -> DragConclusion? {
    switch try? session.beginDrop(proposal) {
    case .conclude(let conclusion): return conclusion
    case .perform(let performed):
      #expect(performed == proposal && session.state == .dropping(proposal))
      #expect(!toldWillEnd)
      toldWillEnd = true
    case nil: break
    }
    return nil
  }

  private mutating func conclude(_ conclusion: DragConclusion, before: DragSession) {
    conclusions += 1
    #expect((conclusion.willEnd == nil) == toldWillEnd)
    #expect(conclusion.reportsTransfer == (before.state.name == "dropping"))
    #expect(session.state == .ended(conclusion.operation))
    #expect(conclusion.operation != .forbidden)
    if case .dropping(let proposal) = before.state {
      #expect([proposal.operation, .cancel].contains(conclusion.operation))
    } else {
      #expect(conclusion.operation == .cancel)
    }
  }

  private func checkStep(before: DragSession, ended: Bool) {
    #expect(ended == (before.state.name != "ended" && session.state.name == "ended"))
    if before.state.name != "active" {
      #expect(session.itemCount == before.itemCount)
      #expect(session.allowsMove == before.allowsMove)
      #expect(session.isRestrictedToApplication == before.isRestrictedToApplication)
      #expect(session.state == before.state || ended)
    }
  }

  private func checkState() {
    #expect(conclusions == (session.state.name == "ended" ? 1 : 0))
    #expect(session.byteCount == session.items.map(\.byteCount).reduce(0, +))
    #expect(session.byteCount <= 16 && session.itemCount <= 4)
    if case .ended = session.state {
      #expect(session.items.isEmpty)
      #expect(
        session.operation == .copy || session.operation == .move || session.operation == .cancel)
    } else {
      #expect(session.items.count == session.itemCount)
    }
  }
}
