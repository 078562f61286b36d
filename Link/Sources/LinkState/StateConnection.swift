public import SQLite

/// The connection of a `StateDatabase` during a transaction.
public final class StateConnection {
  private let database: Database
  private var statements: [String: Statement] = [:]
  private var isDurable: Bool?
  /// Whether a commit may not be durable yet.
  private(set) var hasUnsyncedCommits = false

  init(_ database: Database) { self.database = database }

  /// Runs a statement with these values for its parameters.
  public func run<each Value: Bindable>(
    _ sql: String, _ values: repeat each Value
  ) throws(SQLiteError) {
    try statement(sql).run(repeat each values)
  }

  /// Returns the result of `read` for the first row; nil if there is no row.
  public func first<Result, each Value: Bindable>(
    _ sql: String, _ values: repeat each Value, read: (ResultRow) -> Result
  ) throws(SQLiteError) -> Result? {
    try statement(sql).first(repeat each values, read: read)
  }

  /// Passes every row to `body`, in order.
  public func forEach<each Value: Bindable>(
    _ sql: String, _ values: repeat each Value, body: (ResultRow) -> Void
  ) throws(SQLiteError) {
    try statement(sql).forEach(repeat each values, body: body)
  }

  private func statement(_ sql: String) -> Statement {
    if let statement = statements[sql] { return statement }
    let statement = Statement(database, sql)
    statements[sql] = statement
    return statement
  }

  // MARK: Transactions

  func setDurability(_ isDurable: Bool) throws(SQLiteError) {
    guard self.isDurable != isDurable else { return }
    try database.execute("PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
    self.isDurable = isDurable
  }

  func transaction<Result>(_ begin: String, _ body: () throws -> Result) throws -> Result {
    try run(begin)
    do {
      let before = database.totalChanges
      let result = try body()
      try run("COMMIT")
      if database.totalChanges != before { hasUnsyncedCommits = isDurable == false }
      return result
    } catch {
      // An error only means that SQLite has already rolled back, after a severe error.
      try? run("ROLLBACK")
      throw error
    }
  }

  // MARK: Logs

  func number(ofLog name: String) throws(SQLiteError) -> Int64? {
    try first("SELECT id FROM log WHERE name = ?", name) { $0.integer(0) }
  }

  func makeLog(_ name: String) throws(SQLiteError) -> Int64 {
    if let number = try number(ofLog: name) { return number }
    try run("INSERT INTO log (name) VALUES (?)", name)
    return database.lastInsertedID
  }
}
