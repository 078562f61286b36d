import DragboardClient

/// The rows that a picker shows: the first pages of the rows that a query finds.
///
/// At most one request is in progress, and only the latest query is asked. So a reply to an earlier
/// query is never shown.
public struct PickerList: Hashable, Sendable {
  /// The number of rows that a request asks for.
  public static let pageSize = 30
  /// The maximum number of rows that are requested again after a change of the board.
  public static let maxRefreshed = 500
  /// The number of rows below the last visible row that are requested in advance.
  static let margin = 15

  /// A request for rows.
  public struct Request: Hashable, Sendable {
    /// The words; "" for all rows.
    public let query: String
    /// The index of the first row.
    public let offset: Int
    /// The maximum number of rows.
    public let count: Int
  }

  /// The words that the user has typed.
  public private(set) var query = ""
  /// The rows, the best first.
  ///
  /// They can be those of an earlier query until the reply arrives.
  public private(set) var rows: [RowFacts] = []
  /// Whether the daemon has further rows.
  public private(set) var hasMore = false
  /// The index of the selected row; nil without rows.
  public private(set) var selected: Int?
  /// Whether the rows are those of the query.
  public private(set) var isCurrent = false
  private var pending: Request?
  /// Whether the rows must be read again after the request in progress.
  private var isStale = false

  /// Creates an empty list.
  public init() {}

  /// The selected row.
  public var selectedRow: RowFacts? { selected.map { rows[$0] } }

  // MARK: Requests

  /// Begins with the first page of all rows.
  ///
  /// - Returns: the request to send.
  public mutating func open() -> Request? {
    query = ""
    return restart()
  }

  /// Changes the query.
  ///
  /// - Returns: the request to send; nil if the reply to an earlier request comes first.
  public mutating func type(_ query: String) -> Request? {
    guard query != self.query else { return nil }
    self.query = query
    return restart()
  }

  /// Reads the rows again, because the board has changed.
  ///
  /// - Returns: the request to send; nil if the reply to an earlier request comes first.
  public mutating func refresh() -> Request? {
    isStale = true
    return next()
  }

  /// Records that a row is visible.
  ///
  /// - Returns: the request to send; nil if there are enough rows below it.
  public mutating func show(_ index: Int) -> Request? {
    guard pending == nil, isCurrent, hasMore, index + Self.margin >= rows.count else { return nil }
    return send(Request(query: query, offset: rows.count, count: Self.pageSize))
  }

  private mutating func restart() -> Request? {
    isCurrent = false
    return next()
  }

  private mutating func next() -> Request? {
    guard pending == nil else { return nil }
    if !isCurrent {
      isStale = false
      return send(Request(query: query, offset: 0, count: Self.pageSize))
    }
    guard isStale else { return nil }
    isStale = false
    let count = min(max(rows.count, Self.pageSize), Self.maxRefreshed)
    return send(Request(query: query, offset: 0, count: count))
  }

  private mutating func send(_ request: Request) -> Request {
    pending = request
    return request
  }

  // MARK: Replies

  /// Takes the reply to a request.
  ///
  /// - Parameters:
  ///   - found: the rows, and whether others follow.
  ///   - request: the request.
  /// - Returns: the next request to send, if any.
  public mutating func receive(
    _ found: (rows: [RowFacts], hasMore: Bool), to request: Request
  ) -> Request? {
    guard request == pending else { return nil }
    pending = nil
    guard request.query == query else { return next() }
    if request.offset > 0 {
      // After an edit, the page can have rows of the page before it.
      let known = Set(rows.map(\.id))
      rows += found.rows.filter { !known.contains($0.id) }
    } else {
      let item = isCurrent ? selectedRow?.id : nil
      rows = found.rows
      let index = item.flatMap { item in rows.firstIndex { $0.id == item } }
      // If the selected row was deleted, the next row is selected.
      selected =
        rows.isEmpty ? nil : index ?? (item == nil ? 0 : min(selected ?? 0, rows.count - 1))
    }
    hasMore = found.hasMore
    isCurrent = true
    return next()
  }

  /// Records that a request has failed.
  ///
  /// - Returns: the next request to send, if the query has changed.
  public mutating func fail(_ request: Request) -> Request? {
    guard request == pending else { return nil }
    pending = nil
    guard request.query != query else {
      (rows, hasMore, selected, isCurrent, isStale) = ([], false, nil, true, false)
      return nil
    }
    return next()
  }

  /// Forgets all rows and requests, because another board is shown.
  public mutating func reset() { self = PickerList() }

  // MARK: Selection

  /// Moves the selection.
  public mutating func move(_ step: BoardList.KeyboardStep) {
    guard let selected else { return }
    let index =
      switch step {
      case .rows(let count): selected + count
      case .first: 0
      case .last: rows.count - 1
      }
    self.selected = min(max(index, 0), rows.count - 1)
  }

  /// Selects a row.
  public mutating func select(_ index: Int) {
    if rows.indices.contains(index) { selected = index }
  }
}
