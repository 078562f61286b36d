import DragModel
import TestSupport
import Testing

@Suite("A promise")
struct PromiseStateTests {
  /// An event in an attempt to load a promise.
  enum Event: CaseIterable, Sendable {
    case pipeEnded, pipeIsDry, replied, left, refused, silent, limitExceeded, cancelled

    /// The failure that the event means, if the event is in time.
    var failure: PromiseState.Failure? {
      switch self {
      case .pipeEnded, .pipeIsDry, .replied, .left: nil
      case .refused: .refused("no")
      case .silent: .silent
      case .limitExceeded: .limitExceeded("max-bytes")
      case .cancelled: .cancelled
      }
    }

    func befall(_ state: inout PromiseState) -> PromiseState.Action {
      switch self {
      case .pipeEnded: state.pipeEnded()
      case .pipeIsDry: state.pipeIsDry()
      case .replied: state.replied()
      case .left: state.left()
      case .refused, .silent, .limitExceeded, .cancelled: failure.map { state.fail($0) } ?? .wait
      }
    }
  }

  /// The events so far of an attempt, and the action for each next event.
  ///
  /// Events that always fail the attempt are left out.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let history: [Event]
    let pipeEnded, pipeIsDry, replied, left: PromiseState.Action
  }

  static let table = [
    Row(
      testDescription: "just begun", history: [],
      pipeEnded: .wait, pipeIsDry: .wait, replied: .wait, left: .fail(.left)),
    Row(
      testDescription: "the pipe was empty for a while", history: [.pipeIsDry],
      pipeEnded: .wait, pipeIsDry: .wait, replied: .wait, left: .fail(.left)),
    Row(
      testDescription: "all bytes are there", history: [.pipeEnded],
      pipeEnded: .wait, pipeIsDry: .wait, replied: .keep, left: .fail(.left)),
    Row(
      testDescription: "the loader has replied", history: [.replied],
      pipeEnded: .keep, pipeIsDry: .wait, replied: .wait, left: .wait),
    Row(
      testDescription: "the loader has replied, and left", history: [.replied, .left],
      pipeEnded: .keep, pipeIsDry: .fail(.left), replied: .wait, left: .wait),
    over("kept", [.pipeEnded, .replied]), over("kept, the reply first", [.replied, .pipeEnded]),
    over("kept, though the loader had left", [.replied, .left, .pipeEnded]),
    over("left", [.left]), over("left with the bytes there", [.pipeEnded, .left]),
    over("refused", [.refused]), over("too much, after a reply", [.replied, .limitExceeded]),
    over("silent", [.silent]), over("wanted no more", [.cancelled]),
  ]

  private static func over(_ name: String, _ history: [Event]) -> Row {
    Row(
      testDescription: "over: \(name)", history: history, pipeEnded: .wait, pipeIsDry: .wait,
      replied: .wait, left: .wait)
  }

  @Test("Each event has the action of the table in every state", arguments: table)
  func events(_ row: Row) {
    let actions: [(Event, PromiseState.Action)] = [
      (.pipeEnded, row.pipeEnded), (.pipeIsDry, row.pipeIsDry), (.replied, row.replied),
      (.left, row.left),
    ]
    for (event, action) in actions {
      var state = Self.state(after: row.history)
      let wasOver = state.isOver
      #expect(event.befall(&state) == action, "\(event)")
      #expect(state.isOver == (wasOver || action != .wait), "\(event)")
    }
    for event in Event.allCases {
      guard let failure = event.failure else { continue }
      var state = Self.state(after: row.history)
      let isOver = state.isOver
      #expect(event.befall(&state) == (isOver ? .wait : .fail(failure)), "\(event)")
      #expect(state.isOver, "\(event)")
    }
  }

  @Test("Every failure is reported with its own reason")
  func failures() {
    let failures: [PromiseState.Failure] = [
      .refused("no"), .left, .silent, .broken("EIO"), .invalidText(7), .limitExceeded("a"),
      .cancelled,
    ]
    for failure in failures {
      var state = PromiseState()
      #expect(state.fail(failure) == .fail(failure))
      #expect(state.fail(.silent) == .wait)
    }
  }

  @Test(
    "Any series of events has at most one outcome, and a kept promise has had its end and its reply",
    arguments: 1...4)
  func anySeries(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (kept, failed) = (0, 0)
    for _ in 0..<1_000 {
      let events = (0..<Int.random(in: 0...10, using: &random)).map { _ in
        let isPlain = Int.random(in: 0...9, using: &random) > 0
        return (isPlain ? Self.plain : Event.allCases).randomElement(using: &random) ?? .left
      }
      let outcomes = Self.outcomes(of: events)
      #expect(outcomes.count <= 1, "\(events)")
      #expect(outcomes.first == Self.oracle(events), "\(events)")
      kept += outcomes.count { $0 == .keep }
      failed += outcomes.count { $0 != .keep }
    }
    #expect(kept > 200 && failed > 200)
  }

  /// The events that fail an attempt only at certain moments.
  private static let plain: [Event] = [.pipeEnded, .pipeIsDry, .replied, .left]

  private static func state(after history: [Event]) -> PromiseState {
    var state = PromiseState()
    for event in history { _ = event.befall(&state) }
    return state
  }

  /// Returns the actions other than `wait` that the events cause.
  private static func outcomes(of events: [Event]) -> [PromiseState.Action] {
    var state = PromiseState()
    return events.map { $0.befall(&state) }.filter { $0 != .wait }
  }

  /// Returns the action at the first event that decides the attempt, by the words of the rule.
  private static func oracle(_ events: [Event]) -> PromiseState.Action? {
    for (index, event) in events.enumerated() {
      let sofar = Set(events[...index])
      if let failure = event.failure { return .fail(failure) }
      if sofar.isSuperset(of: [.pipeEnded, .replied]) { return .keep }
      if sofar.contains(.left), !sofar.contains(.replied) { return .fail(.left) }
      if event == .pipeIsDry, sofar.contains(.left) { return .fail(.left) }
    }
    return nil
  }
}
