internal import Files
package import SQLite

/// The schema of the database, and the migrations from earlier versions.
///
/// The order of rows is in the table `block`, not in the table `representation`. A block lists up
/// to 480 rows and names the next block. So an edit writes one or two blocks, and does not renumber
/// later rows.
package enum Schema {
  /// The database version of this release (`PRAGMA user_version`), which is the number of migration
  /// steps.
  package static let version = DataFiles.databaseVersion

  /// The application id in the header of a Dragboard database: "Drag".
  package static let applicationID: Int64 = 0x4472_6167

  /// The migrations.
  ///
  /// The step at index n turns version n into version n + 1.
  ///
  /// Steps are only added, never changed.
  package static let steps = [
    """
    -- revision: the board's revision is the maximum of this value and of its blocks' revisions.
    -- accepted_types: separated by line feeds.
    CREATE TABLE board(
      id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE,
      revision INTEGER NOT NULL, max_rows INTEGER NOT NULL, moves_multiple_rows INTEGER NOT NULL,
      accepted_types TEXT NOT NULL);

    CREATE TABLE section(
      board INTEGER NOT NULL, position INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT NOT NULL,
      PRIMARY KEY(board, position)) WITHOUT ROWID;

    -- id: the board's number, shifted left by 32, and the block's number.
    -- revision: the last revision that changed the block.
    -- rows: the packed entries, eight little-endian bytes each.
    CREATE TABLE block(
      id INTEGER PRIMARY KEY, section INTEGER NOT NULL, next INTEGER, revision INTEGER NOT NULL,
      rows BLOB NOT NULL);

    -- id: the row's number, shifted left by 8, and the position in order of fidelity.
    -- type: NULL means text/plain;charset=utf-8.
    -- created (microseconds since 1970), source, name, preview: NULL except in the row's first
    -- representation. If its preview is NULL, the preview equals data.
    CREATE TABLE representation(
      id INTEGER PRIMARY KEY, type TEXT, created INTEGER, source TEXT, name TEXT, preview TEXT,
      data BLOB NOT NULL);

    -- Rows that have left their board and still have representations; packed as in a block.
    CREATE TABLE discarded(id INTEGER PRIMARY KEY, rows BLOB NOT NULL);

    -- id: the counter. next: its value; for a number supply, the first unreserved number.
    CREATE TABLE counter(id INTEGER PRIMARY KEY, next INTEGER NOT NULL);

    -- A single row. salt: random bytes that distinguish this database from all others.
    CREATE TABLE identity(salt BLOB NOT NULL);
    """,
    """
    -- file: NULL if data is the content. Otherwise the content is in the file contents/ID, data is
    -- the id, and file is the number of bytes. If there is a file, a NULL preview is empty.
    ALTER TABLE representation ADD COLUMN file INTEGER;
    CREATE INDEX representation_file ON representation(data) WHERE file NOT NULL;
    """,
    """
    -- The recent changes of the boards, a row for each batch of edits.
    -- id: the board's number, shifted left by 40, and the last revision of the batch.
    -- revisions: the number of revisions. changes: all changes, in the board model's encoding.
    CREATE TABLE log(id INTEGER PRIMARY KEY, revisions INTEGER NOT NULL, changes BLOB NOT NULL);

    -- The steps that undo and redo edits.
    -- id: the board's number, shifted left by 40, and the step's number.
    -- bytes: the size of the step, with all contents that are retained for it.
    -- operations: in the board model's encoding.
    -- kept: the rows that retain the replaced contents of the step's rows, packed as in a block.
    CREATE TABLE step(
      id INTEGER PRIMARY KEY, is_undone INTEGER NOT NULL, bytes INTEGER NOT NULL, operations BLOB NOT NULL,
      kept BLOB NOT NULL);

    -- The words of all rows whose number is less than the counter 3.
    CREATE VIRTUAL TABLE search USING fts5(
      text, content='', columnsize=0, tokenize='unicode61 remove_diacritics 2');
    """,
    """
    -- row_count: the number of rows of the board after the batch; NULL if unknown.
    ALTER TABLE log ADD COLUMN row_count INTEGER;
    """,
    """
    -- sum: XXH3 of the bytes in the file, 64 bits; NULL without a file, and for older files.
    ALTER TABLE representation ADD COLUMN sum INTEGER;
    """,
    """
    -- modified (microseconds since 1970), application, stack: NULL if unknown, and except in the row's
    -- first representation.
    ALTER TABLE representation ADD COLUMN modified INTEGER;
    ALTER TABLE representation ADD COLUMN application TEXT;
    ALTER TABLE representation ADD COLUMN stack TEXT;

    -- The index has the names of rows, too: all rows are indexed again.
    INSERT INTO search(search) VALUES ('delete-all');
    UPDATE counter SET next = 0 WHERE id = 3;

    -- Names and paths are unique only among the boards in use.
    -- deleted: the time of the deletion, in microseconds since 1970; NULL for a board in use.
    -- deleted_rows, deleted_bytes: the size of a deleted board.
    CREATE TABLE new_board(
      id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL, name TEXT NOT NULL,
      revision INTEGER NOT NULL, max_rows INTEGER NOT NULL, moves_multiple_rows INTEGER NOT NULL,
      accepted_types TEXT NOT NULL, deleted INTEGER, deleted_rows INTEGER, deleted_bytes INTEGER);
    INSERT INTO new_board SELECT *, NULL, NULL, NULL FROM board;
    UPDATE sqlite_sequence SET seq = coalesce(
      (SELECT seq FROM sqlite_sequence WHERE name = 'board'), 0) WHERE name = 'new_board';
    DROP TABLE board;
    ALTER TABLE new_board RENAME TO board;
    CREATE UNIQUE INDEX board_path ON board(path) WHERE deleted IS NULL;
    CREATE UNIQUE INDEX board_name ON board(name) WHERE deleted IS NULL;

    -- Retention and duplicates. 0 means no limit.
    -- digest: the digest of the row's types and bytes, in its first representation, an INTEGER of 64
    -- bits; NULL unless the row was inserted into a board that moves duplicates. A BLOB (earlier
    -- daemons stored SHA-256) is replaced at the next opening.
    ALTER TABLE board ADD COLUMN retain_rows INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE board ADD COLUMN retain_seconds INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE board ADD COLUMN moves_duplicates INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE representation ADD COLUMN digest BLOB;
    CREATE INDEX representation_digest ON representation(digest) WHERE digest NOT NULL;
    -- renewed: in the first representation of a row that a duplicate has renewed, the number that a
    -- new row would have had at that time; otherwise NULL.
    ALTER TABLE representation ADD COLUMN renewed INTEGER;
    CREATE INDEX representation_renewed ON representation(renewed) WHERE renewed NOT NULL;
    """,
    """
    -- sandbox: in the first representation of a row, the sandbox whose share of the board the row uses;
    -- NULL for a row of the user. In a step, the sandbox that made the edit; NULL for the user.
    ALTER TABLE representation ADD COLUMN sandbox TEXT;
    CREATE INDEX representation_sandbox ON representation(sandbox) WHERE sandbox NOT NULL;
    ALTER TABLE step ADD COLUMN sandbox TEXT;
    """,
    """
    -- mode: the permissions of a file (at most 0777), in the row's first representation; NULL if unknown.
    ALTER TABLE representation ADD COLUMN mode INTEGER;
    """,
    """
    -- The processes that made the revisions of the boards.
    -- id: the board's number, shifted left by 40, and the first revision that the process made.
    -- process: a random number that the process chose when it opened the database.
    CREATE TABLE maker(id INTEGER PRIMARY KEY, process INTEGER NOT NULL);
    """,
  ]
}

extension Database {
  /// Refuses databases of other programs and of later releases, without writing to them.
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
    guard version >= 0 else {
      throw .damaged("the version of the database is \(version) (expected 0 or more)")
    }
    guard version <= Int64(Schema.version) else {
      throw .newer(version: Int(version), known: Schema.version)
    }
  }

  /// Migrates the database to the version of this release.
  ///
  /// If a step fails, no step is applied.
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
