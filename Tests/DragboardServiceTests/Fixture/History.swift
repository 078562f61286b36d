import DBus
import DragboardInterface
import TestSupport

/// The history of a board, computed from its acknowledged edits.
struct History {
  /// The reason why no order of the edits explains the observations.
  struct Contradiction: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var state: BoardState

  /// Creates the history of a board with this state.
  init(_ state: BoardState) { self.state = state }

  /// Makes every acknowledged edit, in the order of revisions.
  ///
  /// The reply to an edit has its revision. The revision of an insert or a drop is in the signals,
  /// which reach every client in the same order. Each Changed is compared with the effect of the
  /// edit.
  mutating func replay(_ attempts: [[Attempt]], telling signals: [BusClient.ReceivedSignal]) throws
  {
    let told = try Told(signals)
    var edits: [UInt64: [(edit: Edit, items: [String])]] = [:]
    for attempt in attempts.joined() {
      guard case .done(let revision, let items, let session) = attempt.outcome else { continue }
      let made =
        revision ?? session.map { told.ofDrop[$0] } ?? items.first.flatMap { told.ofInsert[$0] }
      // A drop that moved nothing made no revision.
      if let made { edits[made, default: []].append((attempt.edit, items)) }
    }
    var replica = Replica(state)
    for revision in edits.keys.sorted() where revision > state.revision {
      guard revision == state.revision + 1 else {
        throw Contradiction(
          description: "\(state.revision + 1) was not reported, \(revision) was acknowledged")
      }
      guard let changes = told.changes[revision] else {
        throw Contradiction(description: "no Changed reported \(revision)")
      }
      try replica.apply(revision - 1, revision, changes)
      try make(edits[revision] ?? [], expecting: replica)
    }
  }

  /// Several edits can name one revision: the first of them made it, and the others followed at
  /// once and changed nothing.
  private mutating func make(
    _ edits: [(edit: Edit, items: [String])], expecting replica: Replica
  ) throws {
    for index in edits.indices {
      var candidate = state
      var items = edits[index].items[...]
      guard candidate.make(edits[index].edit, newID: { _ in items.popFirst() ?? "" }),
        Replica(candidate) == replica
      else { continue }
      let changesNothing = edits.indices.allSatisfy { other in
        var after = candidate
        return other == index || !after.make(edits[other].edit, newID: { $0 })
      }
      guard changesNothing else { continue }
      state = candidate
      return
    }
    throw Contradiction(
      description: "none of \(edits.map(\.edit)) turns \(state) into the reported board: \(replica)"
    )
  }

  /// Returns whether some of the unacknowledged edits lead to the state `end`.
  ///
  /// Each edit is made completely or not at all; the edits of one client stay in their order.
  func leads(to end: BoardState, by attempts: [[Attempt]]) -> Bool {
    let ids = Dictionary(
      end.sections.flatMap(\.rows).map { ($0.text, $0.id) }, uniquingKeysWith: { first, _ in first }
    )
    let open = attempts.map { attempts in
      attempts.sorted { $0.order < $1.order }.compactMap { attempt -> Edit? in
        if case .unknown = attempt.outcome { attempt.edit } else { nil }
      }[...]
    }
    return Self.leads(from: state, to: end, by: open, ids)
  }

  private static func leads(
    from state: BoardState, to end: BoardState, by open: [ArraySlice<Edit>], _ ids: [String: String]
  ) -> Bool {
    if state.revision == end.revision { return state.sections == end.sections }
    return open.indices.contains { client in
      guard let edit = open[client].first else { return false }
      var (next, rest) = (state, open)
      rest[client].removeFirst()
      _ = next.make(edit) { ids[$0] ?? $0 }
      return leads(from: next, to: end, by: rest, ids)
    }
  }
}

/// The revisions that signals reported.
private struct Told {
  var changes: [UInt64: [WireChange]] = [:]
  /// The revision that inserted an item.
  var ofInsert: [String: UInt64] = [:]
  /// The revision that a session's drop made.
  var ofDrop: [String: UInt64] = [:]

  init(_ signals: [BusClient.ReceivedSignal]) throws {
    var session: String?
    for signal in signals {
      switch signal.member {
      case "WillEnd": session = signal.path
      case "DragEnded": session = nil
      case "Changed":
        let (_, revision, changes) = try signal.message.arguments(
          as: UInt64.self, UInt64.self, [WireChange].self)
        self.changes[revision] = changes
        if let session { ofDrop[session] = revision }
        for change in changes where change.members.0 == "insert" {
          ofInsert[change.members.1] = revision
        }
      default: break
      }
    }
  }
}
