import DBus
import DragboardInterface
import TestSupport

/// The history of a board in the simplest form.
///
/// It contains all edits in the order of revisions, and the state that each undo and redo restores.
struct Timeline {
  /// Sections, the ids of their rows, and the text of every row.
  struct State: Equatable {
    var sections: [Replica.Section]
    var texts: [String: String]

    /// The state without the texts of rows that are not on the board.
    var trimmed: State {
      let rows = Set(sections.flatMap(\.rows))
      return State(sections: sections, texts: texts.filter { rows.contains($0.key) })
    }
  }

  /// An edit that can be undone or redone: the states before and after it.
  private struct Step {
    let before: State
    let after: State
  }

  private var replica: Replica
  private(set) var state: State
  private var done: [Step] = []
  private var undone: [Step] = []
  private let maxSteps: Int

  /// Creates the timeline of a board without rows that retains up to `maxSteps` steps.
  init(_ board: Replica, maxSteps: Int) {
    replica = board
    state = State(sections: board.sections, texts: [:])
    self.maxSteps = maxSteps
  }

  /// The states to which undo leads, the latest first.
  ///
  /// The list ends with the last step that is certainly retained.
  var past: [State] { done.reversed().map(\.before) }

  /// The states to which redo leads.
  var future: [State] { undone.reversed().map(\.after) }

  /// Applies the reported revisions and the outcomes of the edits.
  mutating func replay(_ told: [BusClient.ToldRevision], _ attempts: [Attempt]) throws {
    let labels = Labels(attempts)
    for revision in told {
      do { try replica.apply(revision.from, revision.to, revision.changes) } catch {
        throw misfit(
          "\(error), told \(words(of: revision.changes)) of \(state.sections), \(labels.kinds[revision.to].map { "\($0)" } ?? "an edit")",
          revision)
      }
      try take(revision, labels)
    }
  }

  private mutating func take(_ revision: BusClient.ToldRevision, _ labels: Labels) throws {
    switch labels.kinds[revision.to] {
    case .undo:
      guard let step = done.popLast() else { throw misfit("nothing was to be undone", revision) }
      undone.append(step)
      state = step.before
    case .redo:
      guard let step = undone.popLast() else { throw misfit("nothing was to be redone", revision) }
      done.append(step)
      state = step.after
    case .text(let item, let text): make(revision) { $0[item] = text }
    case nil:
      make(revision) { texts in
        for change in revision.changes where change.members.0 == "insert" {
          texts[change.members.1] = labels.inserted[change.members.1]
        }
      }
    }
    guard replica.sections == state.sections else {
      throw misfit("\(replica.sections) instead of \(state.sections)", revision)
    }
  }

  /// Adds an edit that is neither undo nor redo.
  private mutating func make(
    _ revision: BusClient.ToldRevision, _ change: (inout [String: String]) -> Void
  ) {
    var after = State(sections: replica.sections, texts: state.texts)
    change(&after.texts)
    done.append(Step(before: state, after: after.trimmed))
    if done.count > maxSteps { done.removeFirst() }
    undone = []
    state = after.trimmed
  }

  private func misfit(_ words: String, _ revision: BusClient.ToldRevision) -> Replica.Misfit {
    Replica.Misfit(description: "revision \(revision.to): \(words)")
  }
}

/// The revisions that are undos, redos and edits of texts, and the inserted rows.
private struct Labels {
  enum Kind {
    case undo, redo
    case text(item: String, String)
  }

  var kinds: [UInt64: Kind] = [:]
  var inserted: [String: String] = [:]

  init(_ attempts: [Attempt]) {
    for attempt in attempts {
      guard case .done(let revision, let items, _) = attempt.outcome else { continue }
      switch attempt.edit {
      case .undo: kinds[revision ?? 0] = .undo
      case .redo: kinds[revision ?? 0] = .redo
      case .insert(let texts, _, _), .dropTexts(let texts, _, _):
        for (item, text) in zip(items, texts) { inserted[item] = text }
      default: break
      }
    }
    note(attempts)
  }

  /// An edit of a text that changes nothing returns the revision of an earlier edit.
  private mutating func note(_ attempts: [Attempt]) {
    for case (.setText(let item, let text), .done(let revision?, _, _)) in attempts.map({
      ($0.edit, $0.outcome)
    }) where kinds[revision] == nil { kinds[revision] = .text(item: item, text) }
  }
}
