import DragboardClient

/// The edits of a board since a list of its rows was printed.
struct LaterEdits {
  private var inserted: Set<ItemID> = []
  private var deleted: Set<ItemID> = []
  private var moved: Set<ItemID> = []
  private var sections: Set<String> = []

  /// No edits.
  init() {}

  /// Reads the edits since a revision.
  ///
  /// - Parameters:
  ///   - board: the board.
  ///   - revision: the revision of the list.
  ///   - present: the present rows of the board.
  /// - Throws: `CommandError` if the daemon no longer lists the edits; `DragboardError`.
  init(of board: Board, since revision: UInt64, until present: BoardSnapshot) async throws {
    guard revision != present.revision else { return }
    let changes: [BoardChange]
    do throws(DragboardError) {
      changes = try await board.history.changes(since: revision).changes
    } catch {
      guard error.reason == .staleRevision else { throw error }
      throw CommandError(
        .refused, "the board has changed too much since the list was printed",
        remedy: "Print the list again, or use --replace.")
    }
    for change in changes {
      switch change {
      case .insert(let item, _): inserted.insert(item)
      case .delete(let item, _): deleted.insert(item)
      case .move(let item, _, _): moved.insert(item)
      case .insertSection(let name, _): sections.insert(name)
      case .reload, .deleteSection, .moveSection, .renameSection: break
      }
    }
  }

  /// Returns whether a list may name a row that is not on the listed part of the board.
  ///
  /// If `isWhole` is true, the list has all sections.
  func explainsAbsence(of item: ItemID, isWhole: Bool) -> Bool {
    deleted.contains(item) || !isWhole && moved.contains(item)
  }

  /// Returns the sections of a list with the rows and sections of the board that came later.
  ///
  /// Each row stays behind the row that precedes it on the board. If the list has not the section of a row, the
  /// section is inserted again.
  ///
  /// - Parameters:
  ///   - listed: the sections of the list.
  ///   - present: the sections of the board.
  ///   - isWhole: whether the list has all sections. If it has not, rows that were moved to its section stay, too.
  /// - Returns: the sections.
  func merged(
    into listed: [BoardSnapshot.Section], from present: [BoardSnapshot.Section], isWhole: Bool
  ) -> [BoardSnapshot.Section] {
    let known = Set(listed.flatMap(\.items))
    let later = (isWhole ? inserted : inserted.union(moved)).subtracting(known)
    var result = listed
    for (index, section) in present.enumerated() {
      let rows = section.items.filter(later.contains)
      let isNew = sections.contains(section.name)
      var target = result.firstIndex { $0.name == section.name }
      if target == nil, isNew || !rows.isEmpty {
        target = min(index, result.count)
        result.insert(BoardSnapshot.Section(name: section.name), at: min(index, result.count))
      }
      guard let target, !rows.isEmpty else { continue }
      result[target].items = Self.merge(rows, into: result[target].items, in: section.items)
    }
    return result
  }

  /// Inserts rows into a list, each behind the nearest row of the list that precedes it on the board.
  private static func merge(
    _ rows: [ItemID], into listed: [ItemID], in present: [ItemID]
  ) -> [ItemID] {
    let (later, known) = (Set(rows), Set(listed))
    var first: [ItemID] = []
    var followers: [ItemID: [ItemID]] = [:]
    var previous: ItemID?
    for item in present {
      if known.contains(item) {
        previous = item
      } else if later.contains(item) {
        if let previous {
          followers[previous, default: []].append(item)
        } else {
          first.append(item)
        }
      }
    }
    return first + listed.flatMap { [$0] + (followers[$0] ?? []) }
  }
}
