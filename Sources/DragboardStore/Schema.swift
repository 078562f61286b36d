internal import Files

/// What the database looks like, and how an older one becomes so.
///
/// Rows have no order of their own: blocks of up to 480 rows do, each naming the next one, so that an
/// edit writes a block or two and nothing of what follows.
package enum Schema {
  /// The version that this release writes, in `PRAGMA user_version`: the number of steps.
  package static let version = DataFiles.databaseVersion

  /// What a database of ours bears in its header: "Drag".
  package static let applicationID: Int64 = 0x4472_6167

  /// The step at n makes version n + 1 of version n.
  ///
  /// Steps are never changed, only added.
  package static let steps = [
    """
    -- The revision of a board is the highest of its own and those of its blocks.
    -- accepted_types: separated by line feeds.
    CREATE TABLE board(
      id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE,
      revision INTEGER NOT NULL, max_rows INTEGER NOT NULL, moves_multiple_rows INTEGER NOT NULL,
      accepted_types TEXT NOT NULL);

    CREATE TABLE section(
      board INTEGER NOT NULL, position INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT NOT NULL,
      PRIMARY KEY(board, position)) WITHOUT ROWID;

    -- id: the board's, shifted left by 32, and the block's. revision: the one that wrote it last.
    -- rows: the packed entries, eight bytes each, little end first.
    CREATE TABLE block(
      id INTEGER PRIMARY KEY, section INTEGER NOT NULL, next INTEGER, revision INTEGER NOT NULL,
      rows BLOB NOT NULL);

    -- id: the row's, shifted left by 8, and the place in the order of fidelity.
    -- type: NULL stands for text/plain;charset=utf-8.
    -- created (microseconds since 1970), source, name and preview stand at the first place alone;
    -- a preview that is NULL there is the same as data.
    CREATE TABLE representation(
      id INTEGER PRIMARY KEY, type TEXT, created INTEGER, source TEXT, name TEXT, preview TEXT,
      data BLOB NOT NULL);

    -- Rows that have left their board and whose representations are still there; packed as in a block.
    CREATE TABLE discarded(id INTEGER PRIMARY KEY, rows BLOB NOT NULL);

    -- What is counted, and the first number that has not been reserved.
    CREATE TABLE counter(id INTEGER PRIMARY KEY, next INTEGER NOT NULL);

    -- One row. salt: what tells this database from all others.
    CREATE TABLE identity(salt BLOB NOT NULL);
    """,
    """
    -- file: NULL where data is the content; else the number of bytes of the content, which is in the file
    -- contents/ID, and data is that id. A preview that is NULL beside a file is empty.
    ALTER TABLE representation ADD COLUMN file INTEGER;
    CREATE INDEX representation_file ON representation(data) WHERE file NOT NULL;
    """,
    """
    -- What happened on the boards of late, a row for each batch of edits. id: the board's, shifted left by 40, and the last
    -- revision of the batch. revisions: how many. changes: what they changed, in a form of the board model's.
    CREATE TABLE log(id INTEGER PRIMARY KEY, revisions INTEGER NOT NULL, changes BLOB NOT NULL);

    -- What takes edits back and makes them again. id: the board's, shifted left by 40, and the step's number.
    -- bytes: with all that is kept for its sake. operations: in a form of the board model's. kept: the rows, packed as in a
    -- block, that hold what rows of the step held on the other side of the edit.
    CREATE TABLE step(
      id INTEGER PRIMARY KEY, is_undone INTEGER NOT NULL, bytes INTEGER NOT NULL, operations BLOB NOT NULL,
      kept BLOB NOT NULL);

    -- The words of the rows whose number is less than the counter 3.
    CREATE VIRTUAL TABLE search USING fts5(
      text, content='', columnsize=0, tokenize='unicode61 remove_diacritics 2');
    """,
    """
    -- row_count: how many rows the board has after the batch; NULL if that was not noted.
    ALTER TABLE log ADD COLUMN row_count INTEGER;
    """,
    """
    -- sum: XXH3 of the bytes in the file, 64 bits; NULL beside data, and for files of earlier versions.
    ALTER TABLE representation ADD COLUMN sum INTEGER;
    """,
  ]
}

extension Database {
  /// Refuses what is not ours, or from a later release, without writing anything.
  func checkVersion() throws(StoreError) {
    let version: Int64
    let isOurs, isEmpty: Bool
    do throws(SQLiteError) {
      version = try integer("PRAGMA user_version")
      isOurs = try integer("PRAGMA application_id") == Schema.applicationID
      isEmpty = try integer("SELECT count(*) FROM sqlite_schema") == 0
    } catch {
      throw StoreError(error)
    }
    guard isOurs || (isEmpty && version == 0) else {
      throw .foreign(path: path)
    }
    guard version >= 0 else { throw .damaged("the database: its version is \(version)") }
    guard version <= Int64(Schema.version) else {
      throw .newer(version: Int(version), known: Schema.version)
    }
  }

  /// Brings the database to the version that this release writes: all steps, or none.
  package func migrate() throws(SQLiteError) {
    let version = Int(try integer("PRAGMA user_version"))
    guard version < Schema.version else { return }
    try execute("BEGIN IMMEDIATE")
    do {
      for step in Schema.steps[version...] { try execute(step) }
      if version == 0 { try insertIdentity() }
      try execute("PRAGMA user_version = \(Schema.version); COMMIT")
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }

  private func insertIdentity() throws(SQLiteError) {
    var random = SystemRandomNumberGenerator()
    let salt: [UInt64] = [random.next(), random.next()]
    try execute("PRAGMA application_id = \(Schema.applicationID)")
    let insert = Statement(self, "INSERT INTO identity(salt) VALUES (?)")
    try salt.withUnsafeBufferPointer { salt throws(SQLiteError) in
      try insert.run(UnsafeRawBufferPointer(salt))
    }
  }
}
