/// The tables of a store, each with its statements.
struct StoreTables {
  let transaction: StoreTransaction
  let counters: CounterTable
  let boards: BoardTable
  let history: HistoryTable
  let files: LargeContents
  let traces: TraceTable
  let rows: RowTable
  let ages: RowAgeTable
  let sizes: RowSizeTable
  let words: WordTable
  let discards: DiscardTable

  /// Creates the tables, and reads the counters and the boards.
  ///
  /// Other statements are prepared later.
  init(
    _ transaction: StoreTransaction, _ folder: ContentDirectory,
    _ report: @escaping (StoreEvent) -> Void
  ) throws(StoreError) {
    self.transaction = transaction
    counters = try CounterTable(transaction)
    boards = BoardTable(transaction)
    history = HistoryTable(transaction)
    files = LargeContents(transaction, in: folder, report: report)
    traces = try TraceTable(transaction, counters)
    ages = RowAgeTable(transaction)
    sizes = RowSizeTable(transaction)
    rows = RowTable(transaction, files, traces, ages)
    words = try WordTable(transaction, counters, rows)
    discards = DiscardTable(transaction)
    try boards.readAtOpening()
  }
}
