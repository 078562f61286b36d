import BoardModel
import DragModel
import TestSupport
import Testing

@Suite("Any series of events")
struct DragSessionRandomTests {
  @Test(
    "A session ends once, stays ended, and its operation agrees with its state", arguments: 1...8)
  func invariants(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var (ended, finished) = (0, 0)
    for _ in 0..<500 {
      var player = Player()
      for _ in 0..<Int.random(in: 0...30, using: &random) {
        try player.play(
          Int.random(in: 0..<30, using: &random), detail: Int.random(in: 0..<16, using: &random))
      }
      ended += player.conclusions
      finished += player.finishes
    }
    #expect(ended > 100)
    #expect(finished > 10)
  }
}

/// A player that maps numbers to events, and compares the session with all states that the events
/// allow.
private struct Player {
  var session = DragSession(
    source: .uniqueName(":1.1"),
    limits: SessionLimits(maxItems: 4, maxRepresentationBytes: 8, maxSessionBytes: 16))
  /// The number of times that the session has ended, and the number of ends by its destination.
  var conclusions = 0
  var finishes = 0
  /// Whether WillEnd was reported.
  var hasReportedWillEnd = false
  /// The counted bytes of promises.
  var promised = 0
  /// The reserved representations: the item and the type.
  var reserved: Set<String> = []

  mutating func play(_ event: Int, detail: Int) throws {
    let before = session
    let conclusion = try play(event, detail)
    if let conclusion { conclude(conclusion, before: before) }
    checkStep(before: before, ended: conclusion != nil)
    checkState()
  }

  private mutating func play(_ event: Int, _ detail: Int) throws -> DragConclusion? {
    switch event {
    case 0...8: try change(event, detail)
    case 9...11: keepPlaces(event, detail)
    case 12...14: countPromised(detail - 6)
    case 15, 16: accept(detail)
    case 17...21: load(event, detail)
    default: return end(event, detail)
    }
    return nil
  }

  private mutating func change(_ event: Int, _ detail: Int) throws {
    switch event {
    case 0...3: _ = try? session.add(.text(bytes: detail))
    case 4: try? session.register(.sample("x/\(detail % 3)", bytes: detail), item: detail % 5)
    case 5: try? session.setAllowsMove(detail.isMultiple(of: 2))
    case 6: try? session.setRestrictedToApplication(detail.isMultiple(of: 2))
    default: try? session.didPropose(proposal(detail))
    }
  }

  private mutating func keepPlaces(_ event: Int, _ detail: Int) {
    guard let representation = try? Representation.sample("x/\(detail % 3)", bytes: detail / 3)
    else { return }
    let (type, item) = (representation.type, detail % 4)
    let place = "\(type) \(item)"
    switch event {
    case 9:
      let isTaken = reserved.contains(place)
      guard (try? session.reserve(type, item: item)) != nil else { return }
      #expect(!isTaken)
      reserved.insert(place)
    case 10:
      guard reserved.contains(place), (try? session.fulfil(representation, item: item)) != nil
      else { return }
      reserved.remove(place)
    default:
      session.release(type, item: item)
      reserved.remove(place)
    }
  }

  private mutating func countPromised(_ bytes: Int) {
    guard promised + bytes >= 0, (try? session.countPromised(bytes)) != nil else { return }
    if session.state.name != "ended" { promised += bytes }
  }

  /// Performs an event of a client that accepts the drop, or tries to.
  private mutating func load(_ event: Int, _ detail: Int) {
    let caller = Caller(
      uniqueName: detail.isMultiple(of: 3) ? ":1.1" : ":1.2", confinement: .unsandboxed)
    switch event {
    case 17, 18: session.ask(detail % 4, by: caller)
    case 19: session.didLoad(detail % 4, by: caller)
    default: checkReach(of: caller)
    }
  }

  private mutating func accept(_ detail: Int) {
    let client = Application.uniqueName(detail.isMultiple(of: 3) ? ":1.1" : ":1.2")
    let before = session
    switch try? session.accept(detail.isMultiple(of: 2) ? .copy : .move, by: client) {
    case .forbidden:
      #expect(before.isRestrictedToApplication && client != before.source)
      #expect(session.state == before.state)
    case let granted?:
      #expect(granted == .copy || client == before.source && before.allowsMove)
      #expect(!hasReportedWillEnd && session.operation == granted)
      hasReportedWillEnd = true
    case nil: #expect(before.state.name != "active")
    }
  }

  private func checkReach(of caller: Caller) {
    let reach = try? session.loadReach(of: caller)
    switch session.state {
    case .ended: #expect(reach == nil)
    case .dropping(let drop) where drop.client.map(caller.counts) == true: #expect(reach != nil)
    case .active, .dropping: #expect((reach != nil) == caller.counts(as: session.source))
    }
  }

  /// Performs an event that ends the session in some states.
  private mutating func end(_ event: Int, _ detail: Int) -> DragConclusion? {
    switch event {
    case 22, 23: return drop(proposal(detail))
    case 24: return session.endDrop(loaded: detail.isMultiple(of: 2) ? [0] : [])
    case 25, 26:
      let conclusion = try? session.finish(
        by: Caller(
          uniqueName: detail.isMultiple(of: 3) ? ":1.1" : ":1.2", confinement: .unsandboxed))
      finishes += conclusion == nil ? 0 : 1
      return conclusion
    case 27: return session.connectionLeft(detail.isMultiple(of: 2) ? ":1.1" : ":1.2")
    case 28: return try? session.cancel()
    default: return detail.isMultiple(of: 2) ? session.timeOut() : session.shutDown()
    }
  }

  private mutating func drop(_ proposal: DropProposal) -> DragConclusion? {
    switch try? session.beginDrop(proposal, asking: [0]) {
    case .conclude(let conclusion): return conclusion
    case .forbid: #expect(proposal.operation == .forbidden && session.state.name == "active")
    case .perform(let performed):
      #expect(performed == proposal && session.operation == proposal.operation)
      #expect(!hasReportedWillEnd)
      hasReportedWillEnd = true
    case nil: break
    }
    return nil
  }

  private func proposal(_ detail: Int) -> DropProposal {
    DropProposal(
      operation: DropOperation.allCases[detail % 4], destination: IndexPath(section: 0, row: 0))
  }
}

// MARK: - Invariants

extension Player {
  private mutating func conclude(_ conclusion: DragConclusion, before: DragSession) {
    conclusions += 1
    (promised, reserved) = (0, [])
    #expect((conclusion.willEnd == nil) == hasReportedWillEnd)
    #expect((conclusion.transfer != nil) == (before.state.name == "dropping"))
    #expect(session.state == .ended(conclusion.operation))
    #expect(conclusion.operation != .forbidden)
    if case .dropping(let drop) = before.state {
      #expect([drop.operation, .cancel].contains(conclusion.operation))
    } else {
      #expect(conclusion.operation == .cancel)
    }
    guard let transfer = conclusion.transfer else { return }
    #expect(Set(transfer.loaded).isDisjoint(with: transfer.failed))
    #expect(transfer.loaded == transfer.loaded.sorted())
    #expect(transfer.failed == transfer.failed.sorted())
  }

  private func checkStep(before: DragSession, ended: Bool) {
    let hasEnded = before.state.name != "ended" && session.state.name == "ended"
    #expect(ended == hasEnded)
    guard before.state.name != "active" else { return }
    #expect(session.itemCount == before.itemCount)
    #expect(session.allowsMove == before.allowsMove)
    #expect(session.isRestrictedToApplication == before.isRestrictedToApplication)
    guard case .dropping(let drop) = session.state, case .dropping(let earlier) = before.state
    else {
      #expect(session.state == before.state || hasEnded)
      return
    }
    #expect(drop.operation == earlier.operation && drop.destination == earlier.destination)
    #expect(drop.client != nil || drop == earlier)
  }

  private func checkState() {
    #expect(conclusions == (session.state.name == "ended" ? 1 : 0))
    #expect(session.byteCount == session.items.map(\.byteCount).reduce(promised, +))
    #expect(session.byteCount <= 16 && session.itemCount <= 4)
    if case .ended = session.state {
      #expect(session.items.isEmpty)
      #expect(
        session.operation == .copy || session.operation == .move || session.operation == .cancel)
    } else {
      #expect(session.items.count == session.itemCount)
      let unseen = session.items.flatMap(\.representations).count { $0.visibility == nil }
      #expect(unseen == reserved.count)
    }
  }
}
