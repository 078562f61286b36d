import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore

/// The methods of `org.dragboard.Dragboard1.Board` that search rows.
struct BoardSearches {
  /// The maximum number of results of Search without a limit.
  private static let maxFound = 10_000
  /// The maximum number of rows in one reply of FindRows.
  private static let maxPageRows = 1_000
  /// The maximum number of bytes in one reply of FindRows.
  private static let maxPageBytes = 8 << 20
  /// The maximum length of a query.
  ///
  /// It limits the time of a search, because each word requires a look-up in the index.
  private static let maxQueryWords = 64
  private static let maxQueryBytes = 4 << 10

  let words: WordIndex
  let gate: SearchGate
  let longCalls: LongCalls

  /// Refuses a query that is too long.
  private func check(_ query: String, _ command: Command) throws(DBusError) {
    guard query.utf8.count <= Self.maxQueryBytes else {
      throw .limit("query: the maximum number of bytes", Self.maxQueryBytes)
    }
    let wordCount: Int
    do throws(StoreError) {
      wordCount = try command.step.store.wordCount(of: query)
    } catch { throw error.answer }
    guard wordCount <= Self.maxQueryWords else {
      throw .limit("query: the maximum number of words", Self.maxQueryWords)
    }
  }

  /// Performs a search in turns of its client, after all rows are indexed.
  private func run<Progress, each O: BusValue>(
    _ command: Command, on board: BoardEntity, answering reply: Reply<repeat each O>,
    from progress: Progress, part: @escaping LongCalls.Part<Progress>
  ) throws(DBusError) {
    try gate.admit(command)
    words.catchUp(in: command.step) { step, index in
      gate.begin(command, in: step) { step in
        longCalls.proceed(
          command.resumed(in: step), on: board, answering: reply, from: progress
        ) { (progress, command, budget) throws(DBusError) in
          do throws(StoreError) { try index.get() } catch { throw error.answer }
          return try part(&progress, command, budget)
        } onEnd: { step in
          gate.end(of: command, in: step)
        }
      }
    }
  }

  // MARK: Search

  /// Replies with the ids of the rows that contain all words of the query, in the order of the
  /// board.
  func search(
    _ board: BoardEntity, _ command: Command, _ reply: Reply<[String]>, _ query: String,
    _ limit: UInt32
  ) throws(DBusError) {
    try check(query, command)
    let max = limit == 0 ? Self.maxFound : Int(limit)
    let progress: (search: WordSearch?, found: FoundRows) = (nil, FoundRows(max: max))
    try run(command, on: board, answering: reply, from: progress) {
      (progress, command, budget) throws(DBusError) in
      do throws(StoreError) {
        let running =
          if let search = progress.search { search } else {
            try command.step.store.beginSearch(query, source: command.access.searchedSource)
          }
        progress.search = running
        while let rows = try running.nextPart() {
          for row in rows {
            if let path = board.indexPath(of: row) { progress.found.insert(row, at: path) }
          }
          if budget.isUsedUp { return true }
        }
      } catch { throw error.answer }
      progress.search = nil
      reply.send(progress.found.rows(on: board.board).map(board.ids.id))
      return false
    }
  }

  // MARK: FindRows

  func findRows(
    _ board: BoardEntity, _ command: Command,
    _ reply: Reply<UInt64, [BoardInterface.FoundRow], Bool>, _ query: String, _ offset: UInt32,
    _ limit: UInt32
  ) throws(DBusError) {
    try check(query, command)
    let count = limit == 0 ? Self.maxPageRows : min(Int(limit), Self.maxPageRows)
    let range = Int(offset)..<Int(offset) + count
    guard query.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      let page = FoundPage(board.board.rows(from: range.lowerBound, count: count), in: range)
      return try longCalls.run(command, on: board, answering: reply, from: page) {
        (page, command, budget) throws(DBusError) in
        try answer(reply, &page, on: board, command, budget) { page in page.end < board.rowCount }
      }
    }
    guard range.lowerBound < RankedSearch.maxFound else {
      return reply.send(board.board.revision, [], false)
    }
    let progress: (search: RankedSearch?, page: FoundPage?, hasMore: Bool) = (nil, nil, false)
    try run(command, on: board, answering: reply, from: progress) {
      (progress, command, budget) throws(DBusError) in
      if var page = progress.page {
        let hasMore = progress.hasMore
        // The elements have only one owner, so that they are not copied.
        progress.page = nil
        defer { progress.page = page }
        return try answer(reply, &page, on: board, command, budget) { _ in hasMore }
      }
      do throws(StoreError) {
        let search =
          if let search = progress.search { search } else {
            try RankedSearch(
              query, max: range.upperBound, source: command.access.searchedSource, on: board.board,
              in: command.step.store)
          }
        progress.search = search
        while try search.proceed(on: board.board) {
          if budget.isUsedUp { return true }
        }
        progress.search = nil
        let rows = search.rows
        progress.page = FoundPage(Array(rows.dropFirst(range.lowerBound).prefix(count)), in: range)
        progress.hasMore = rows.count > range.upperBound
      } catch { throw error.answer }
      return true
    }
  }

  /// Appends rows to a page, and sends it when it is complete; returns whether rows remain.
  ///
  /// `hasMore` returns whether other rows follow a complete page.
  private func answer(
    _ reply: Reply<UInt64, [BoardInterface.FoundRow], Bool>, _ page: inout FoundPage,
    on board: BoardEntity, _ command: Command, _ budget: LongCalls.Budget,
    hasMore: (FoundPage) -> Bool
  ) throws(DBusError) -> Bool {
    let stored = StoredRows(board.ids, for: command)
    while let row = page.next() {
      // The row may have been deleted since it was found.
      guard let path = board.indexPath(of: row), let flags = board.board.flags(of: row) else {
        continue
      }
      let summary = try stored.storedSummary(of: row) ?? .missing
      let (wire, byteCount) = stored.wireRow(RowEntry(row, flags: flags), summary)
      let (id, preview, types, attributes) = wire.members
      guard
        page.append(
          BoardInterface.FoundRow(
            UInt32(path.section), UInt32(path.row), id, preview, types, attributes), byteCount)
      else {
        reply.send(board.board.revision, page.elements, true)
        return false
      }
      if budget.isUsedUp { return true }
    }
    reply.send(board.board.revision, page.elements, hasMore(page))
    return false
  }

  /// The rows of a reply of FindRows, and the elements of the reply.
  private struct FoundPage {
    /// The index after the last row of the page, among all rows that are found.
    let end: Int
    private(set) var elements: [BoardInterface.FoundRow] = []
    private let rows: [RowID]
    private var index = 0
    private var room = maxPageBytes

    init(_ rows: [RowID], in range: Range<Int>) {
      (self.rows, end) = (rows, range.lowerBound + rows.count)
    }

    mutating func next() -> RowID? {
      guard index < rows.count else { return nil }
      defer { index += 1 }
      return rows[index]
    }

    /// Appends the latest row; returns false if there is too little room for it.
    ///
    /// There is room for the first row, whatever its size.
    mutating func append(_ element: BoardInterface.FoundRow, _ byteCount: Int) -> Bool {
      room -= byteCount
      guard room >= 0 || elements.isEmpty else { return false }
      elements.append(element)
      return true
    }
  }
}

extension BoardAccess {
  /// The application whose rows the caller may search; nil if it may search all rows.
  fileprivate var searchedSource: String? { readsEverything ? nil : source }
}
