import CShelf
import DragboardClient
import Glibc
import ShelfModel

/// The search on a board.
///
/// It reads the texts of the rows once, and scans them whenever the query changes.
final class BoardSearch {
  /// The words; "" without a search.
  private(set) var query = ""
  /// Called with the found rows; nil without a search.
  var onFind: (Set<ItemID>?) -> Void = { _ in }
  private let board: Board
  private var index = SearchIndex(fold: fold)
  /// The latest known state of the board.
  private var snapshot = BoardSnapshot(revision: 0, sections: [])
  /// The task that reads the texts that are not in the index yet.
  private var reading: Task<Void, Never>?
  /// Whether the board has changed since the task began to read.
  private var isStale = false
  /// The rows whose content has changed since the task began to read.
  private var changed: Set<ItemID> = []
  /// The delay before the task repeats a failed read.
  ///
  /// It doubles after each failure.
  private var retryDelay = minDelay

  /// The number of rows that one request reads.
  private static let pageSize = 1000
  private static let minDelay = Duration.milliseconds(50)

  /// Creates a search on a board.
  init(_ board: Board) { self.board = board }

  /// Searches for words; "" ends the search.
  func search(_ words: String, in snapshot: BoardSnapshot) {
    query = words
    find()
    if !words.isEmpty { read(snapshot) }
  }

  /// Records a change of the board.
  ///
  /// The content of the rows `items` has changed.
  func didChange(_ items: [ItemID], to snapshot: BoardSnapshot) {
    for item in items { index.remove(item) }
    changed.formUnion(items)
    if !query.isEmpty { read(snapshot) }
  }

  /// Discards all texts after a restart of the daemon.
  func didRestart(with snapshot: BoardSnapshot) {
    index.removeAll()
    if !query.isEmpty { read(snapshot) }
  }

  private func find() { onFind(query.isEmpty ? nil : index.rows(with: query)) }

  private func read(_ snapshot: BoardSnapshot) {
    self.snapshot = snapshot
    isStale = true
    guard reading == nil else { return }
    reading = Task { [weak self] in
      while await self?.readAll() == true {}
    }
  }

  /// Reads the missing texts.
  ///
  /// - Returns: whether they must be read again, because the board has changed in the meantime or
  ///   the daemon did not answer.
  private func readAll() async -> Bool {
    isStale = false
    changed = []
    do {
      for section in snapshot.sections.indices {
        try await readSection(section, snapshot.sections[section].items)
      }
      retryDelay = Self.minDelay
    } catch {
      try? await Task.sleep(for: retryDelay)
      retryDelay = min(retryDelay * 2, .seconds(2))
      isStale = true
    }
    find()
    if isStale, !query.isEmpty { return true }
    reading = nil
    return false
  }

  /// Reads the texts of the rows of a section that are not in the index yet.
  private func readSection(_ section: Int, _ items: [ItemID]) async throws {
    var first = 0
    while items[min(first, items.count)...].contains(where: { !index.contains($0) }) {
      let page = try await board.page(ofSection: section, from: first, count: Self.pageSize)
      let count = page.rows.count
      let texts = try await board.texts(ofSection: section, from: first, count: count)
      // If the revision has changed, the texts may belong to other rows.
      guard try await board.info().revision == page.revision, count > 0, !texts.isEmpty else {
        throw HasChanged()
      }
      for (row, text) in zip(page.rows, texts) where !index.contains(row.id) {
        let folded = await Self.folded(try words(of: RowFacts(row), text))
        guard !changed.contains(row.id) else { throw HasChanged() }
        index.set(folded: folded, for: row.id)
      }
      first += min(count, texts.count)
    }
  }

  /// The board has changed while it was read.
  private struct HasChanged: Error {}

  private func words(of row: RowFacts, _ text: String) async throws -> String {
    var words = [row.suggestedName, text]
    guard row.byteCount <= 1 << 20 else { return words.joined(separator: "\n") }
    do {
      words += try await contents(of: row)
    } catch let error as DragboardError where !error.reason.isAbsence {
      // The row no longer exists, or its content cannot be read. Then only its name and its text
      // can be found.
    }
    return words.joined(separator: "\n")
  }

  @concurrent nonisolated private static func folded(_ words: String) async -> [UInt8] {
    SearchIndex.folded(words, by: fold)
  }

  @Sendable nonisolated private static func fold(_ text: String) -> String {
    guard let folded = shelf_fold(text) else { return text }
    defer { free(folded) }
    return String(cString: folded)
  }

  private func contents(of row: RowFacts) async throws -> [String] {
    switch row.kind {
    case .addresses:
      let links = try await Links.read(row, on: board)
      return [links.title] + links.addresses + links.addresses.map(Addresses.name(of:))
    case .markup: return [try await RowText.read(row, on: board).words]
    case .text, .image, .other: return []
    }
  }
}
