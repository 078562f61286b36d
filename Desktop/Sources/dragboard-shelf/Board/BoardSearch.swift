import CShelf
import DragboardClient
import Glibc
import ShelfModel

/// The search on a board: reads the texts of its rows once, and scans them at each change of the
/// query.
final class BoardSearch {
  /// The words; "" without a search.
  private(set) var query = ""
  /// Called with the rows that were found; nil without a search.
  var onFind: (Set<ItemID>?) -> Void = { _ in }
  private let board: Board
  private var index = SearchIndex { text in
    guard let folded = shelf_fold(text) else { return text }
    defer { free(folded) }
    return String(cString: folded)
  }
  private var reading: Task<Void, Never>?

  /// The number of rows that are requested at once.
  private static let pageSize = 1000

  /// Creates the search of a board.
  init(_ board: Board) { self.board = board }

  /// Searches for words; "" ends the search.
  func search(_ words: String, in snapshot: BoardSnapshot) {
    query = words
    find()
    if !words.isEmpty { read(snapshot) }
  }

  /// Handles a change of rows: `items` have another content.
  func didChange(_ items: [ItemID], to snapshot: BoardSnapshot) {
    for item in items { index.remove(item) }
    if !query.isEmpty { read(snapshot) }
  }

  /// Discards all texts.
  func forgetAll() { index.removeAll() }

  private func find() { onFind(query.isEmpty ? nil : index.rows(with: query)) }

  private func read(_ snapshot: BoardSnapshot) {
    let before = reading
    reading = Task { [weak self] in
      await before?.value
      for section in snapshot.sections.indices {
        await self?.readSection(section, snapshot.sections[section].items)
      }
      self?.find()
    }
  }

  /// Reads the rows of a section that the index does not have.
  private func readSection(_ section: Int, _ items: [ItemID]) async {
    var first = 0
    while first < items.count {
      guard items[first...].contains(where: { !index.contains($0) }),
        let page = try? await board.page(ofSection: section, from: first, count: Self.pageSize),
        !page.rows.isEmpty,
        let texts = try? await board.texts(ofSection: section, from: first, count: page.rows.count)
      else { return }
      for (row, text) in zip(page.rows, texts) where !index.contains(row.id) {
        index.set(await words(of: RowFacts(row), text), for: row.id)
      }
      first += min(page.rows.count, texts.count)
    }
  }

  private func words(of row: RowFacts, _ text: String) async -> String {
    var words = [row.suggestedName, text]
    guard row.byteCount <= 1 << 20 else { return words.joined(separator: "\n") }
    switch row.kind {
    case .addresses:
      if let links = try? await Links.read(row, on: board) {
        words += [links.title] + links.addresses + links.addresses.map(Addresses.name(of:))
      }
    case .markup:
      if let bytes = try? await board.data(of: row.id, as: .html) {
        words.append(ShownText.words(ofMarkup: String(decoding: bytes, as: UTF8.self)))
      }
    case .text, .image, .other: break
    }
    return words.joined(separator: "\n")
  }
}
