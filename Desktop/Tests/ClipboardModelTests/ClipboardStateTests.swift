import ClipboardModel
import Testing

@Suite("ClipboardState")
struct ClipboardStateTests {
  typealias State = ClipboardState<String>
  typealias Action = State.Action

  private static let text = "text/plain;charset=utf-8"
  private static let secret = [text, "x-kde-passwordManagerHint"]
  private let copy = Fingerprint(["text/html": 1, "image/png": 2])
  private let part = Fingerprint(["image/png": 2])

  /// Returns the actions for events of a display that keeps a part of a content, or of another one.
  private func actions(_ events: [State.Event], keepsPart: Bool = true) -> [Action] {
    var state = State(keepsPart: keepsPart)
    return events.map { state.handle($0) }
  }

  // MARK: Reads

  @Test("Each readable copy is read, with the number of its change")
  func copies() {
    #expect(
      actions([
        .changing, .changed(["a/b"], isReadable: true), .read(isComplete: true),
        .changed(["a/b"], isReadable: true),
      ]) == [.none, .read(2), .none, .read(3)])
  }

  @Test("A copy that is not readable has no consequence")
  func unreadable() {
    #expect(actions([.changed(Self.secret, isReadable: false), .refused]) == [.none, .none])
  }

  // MARK: The part that the display offers

  @Test(
    "After an ignored copy, its part is not read",
    arguments: [
      [.changed(secret, isReadable: false)],
      // It was not read completely.
      [.changed(secret, isReadable: true), .read(isComplete: false)],
      // Its read had not ended when the owner exited.
      [.changed(secret, isReadable: true)],
      // Recording was paused after it.
      [.changed(secret, isReadable: true), .read(isComplete: true), .refused],
      // The owner exited twice, as the display reports it.
      [.changed(secret, isReadable: false), .emptied(isDeliberate: false)],
    ] as [[State.Event]])
  func keptPart(_ events: [State.Event]) throws {
    let offer = State.Event.changed([Self.text], isReadable: true)
    let results = actions(events + [.emptied(isDeliberate: false), offer, offer])
    #expect(results.dropLast().last == Action.none)
    // The next offer is new, because the content before it was not ignored.
    guard case .read = results.last else { throw NotRead(action: results.last) }
  }

  @Test("After the bridge has erased the copies, their part is not read")
  func erased() {
    let offer = State.Event.changed([Self.text], isReadable: true)
    let actions = actions([
      .changed(Self.secret, isReadable: true), .read(isComplete: true),
      .emptied(isDeliberate: true), .refused, offer,
    ])
    #expect(actions.last == Action.none)
  }

  @Test(
    "An offer is read if it cannot be a part of an ignored copy",
    arguments: [
      // The copy was read.
      [.changed(secret, isReadable: true), .read(isComplete: true), .emptied(isDeliberate: false)],
      // Its owner still exists.
      [.changed(secret, isReadable: false)],
      // Another program owned the clipboard in between.
      [.changed(secret, isReadable: false), .emptied(isDeliberate: false), .changing],
      // It offered other types.
      [.changed(["a/b"], isReadable: false), .emptied(isDeliberate: false)],
      // The bridge has claimed the clipboard during the read.
      [.changed(secret, isReadable: true), .claimed, .emptied(isDeliberate: true)],
    ] as [[State.Event]])
  func newOffer(_ events: [State.Event]) throws {
    let last = actions(events + [.changed([Self.text], isReadable: true)]).last
    guard case .read = last else { throw NotRead(action: last) }
  }

  private struct NotRead: Error {
    let action: Action?
  }

  @Test("A display that keeps no part offers only new copies")
  func noPart() {
    let events: [State.Event] = [
      .changed(Self.secret, isReadable: false), .emptied(isDeliberate: false),
      .changed([Self.text], isReadable: true),
    ]
    #expect(actions(events, keepsPart: false).last == .read(3))
  }

  // MARK: The return of the stored copy

  /// A state with a stored copy, whose row is "row".
  private func stored(keepsPart: Bool = true) -> State {
    var state = State(keepsPart: keepsPart)
    state.handle(.changed(["text/html"], isReadable: true))
    state.handle(.read(isComplete: true))
    state.didStore("row", copy, of: 1)
    return state
  }

  @Test("When the owner exits, the stored copy returns, each time")
  func restored() {
    var state = stored()
    #expect(state.handle(.emptied(isDeliberate: false)) == .restore(2))
    #expect(state.restore(after: 2) == "row")
    #expect(state.handle(.emptied(isDeliberate: false)) == .restore(3))
    #expect(state.restore(after: 3) == "row")
  }

  @Test("When the owner empties the clipboard, nothing returns")
  func emptied() {
    var state = stored()
    #expect(state.handle(.emptied(isDeliberate: true)) == .none)
    #expect(state.handle(.emptied(isDeliberate: false)) == .restore(3))
    #expect(state.restore(after: 3) == nil)
  }

  @Test("A stored copy does not return instead of a later copy that was not stored")
  func laterCopy() {
    var state = stored()
    state.handle(.changed(["a/b"], isReadable: false))
    #expect(state.handle(.emptied(isDeliberate: false)) == .restore(3))
    #expect(state.restore(after: 3) == nil)
  }

  @Test("Nothing returns if another program has claimed the clipboard since")
  func tooLate() {
    var state = stored()
    state.handle(.emptied(isDeliberate: false))
    state.handle(.changing)
    #expect(state.restore(after: 2) == nil)
  }

  @Test("A forgotten copy does not return")
  func forgotten() {
    var state = stored()
    state.forgetStored()
    state.handle(.emptied(isDeliberate: false))
    #expect(state.restore(after: 2) == nil)
    #expect(state.row(containing: copy) == nil)
  }

  // MARK: Repeated copies

  @Test("The stored copy contains itself and its parts")
  func containing() {
    let state = stored()
    #expect(state.row(containing: copy) == "row")
    #expect(state.row(containing: part) == "row")
    #expect(state.row(containing: Fingerprint(["image/png": 3])) == nil)
  }

  @Test("A part of the copy is replaced by the whole copy, but only once")
  func partReplaced() {
    var state = stored()
    for change in 2...3 {
      state.handle(.changed(["image/png"], isReadable: true))
      state.handle(.read(isComplete: true))
      #expect(state.didRepeat(part, in: change) == (change == 2 ? "row" : nil))
    }
    // The same copy again ends the dispute.
    state.handle(.changed(["text/html"], isReadable: true))
    #expect(state.didRepeat(copy, in: 4) == nil)
    state.handle(.changed(["image/png"], isReadable: true))
    #expect(state.didRepeat(part, in: 5) == "row")
  }

  @Test("A part is not replaced after a later change, or on a display that keeps no part")
  func partKept() {
    var late = stored()
    late.handle(.changed(["image/png"], isReadable: true))
    late.handle(.changing)
    #expect(late.didRepeat(part, in: 2) == nil)
    var whole = stored(keepsPart: false)
    whole.handle(.changed(["image/png"], isReadable: true))
    #expect(whole.didRepeat(part, in: 2) == nil)
  }
}
