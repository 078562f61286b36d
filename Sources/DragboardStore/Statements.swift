/// Every statement that runs more than once, each prepared at its first use.
struct Statements {
  let begin, commit, rollback: Statement

  let salt, counter, saveCounter: Statement

  let boards, sections, blocks, nextBlock: Statement
  let insertBoard, renameBoard, saveSettings, saveRevision: Statement
  let insertSection, deleteSections, saveBlock, deleteBlock: Statement
  let discardBlocks, deleteBlocks, deleteBoard: Statement

  let insertRepresentation, deleteRepresentations, byteCount: Statement
  let item, content, text, contentIDs, holder, unknownToIndex: Statement

  let insertLog, log, logByteCount, firstLogged, lastLogged, trimLog: Statement
  let steps, step, saveStep, deleteSteps: Statement
  let moveRepresentations, sizes, sourceSizes: Statement
  let unindexed, index, unindex, mergeWords, search, searchOfSource: Statement

  let discard, discarded, saveDiscarded, deleteDiscarded: Statement

  init(_ database: Database) {
    func statement(_ sql: String) -> Statement { Statement(database, sql) }

    begin = statement("BEGIN IMMEDIATE")
    commit = statement("COMMIT")
    rollback = statement("ROLLBACK")

    salt = statement("SELECT salt FROM identity")
    counter = statement("SELECT next FROM counter WHERE id = ?")
    saveCounter = statement("REPLACE INTO counter(id, next) VALUES (?, ?)")

    boards = statement(
      """
      SELECT id, path, name, revision, max_rows, moves_multiple_rows, accepted_types
      FROM board ORDER BY id
      """)
    sections = statement("SELECT id, name FROM section WHERE board = ? ORDER BY position")
    blocks = statement(
      "SELECT id, section, next, revision, rows FROM block WHERE id BETWEEN ? AND ?")

    nextBlock = statement("SELECT id FROM block WHERE id > ? ORDER BY id LIMIT 1")

    insertBoard = statement(
      """
      INSERT INTO board(path, name, revision, max_rows, moves_multiple_rows, accepted_types)
      VALUES (?, ?, 1, ?, ?, ?)
      """)
    renameBoard = statement("UPDATE board SET name = ?2 WHERE id = ?1")
    saveSettings = statement(
      """
      UPDATE board SET max_rows = ?2, moves_multiple_rows = ?3, accepted_types = ?4 WHERE id = ?1
      """)
    saveRevision = statement("UPDATE board SET revision = ?2 WHERE id = ?1")
    insertSection = statement(
      "INSERT INTO section(board, position, id, name) VALUES (?, ?, ?, ?)")
    deleteSections = statement("DELETE FROM section WHERE board = ?")
    saveBlock = statement(
      "REPLACE INTO block(id, section, next, revision, rows) VALUES (?, ?, ?, ?, ?)")
    deleteBlock = statement("DELETE FROM block WHERE id = ?")

    discardBlocks = statement(
      "INSERT INTO discarded(rows) SELECT rows FROM block WHERE id BETWEEN ? AND ?")
    deleteBlocks = statement("DELETE FROM block WHERE id BETWEEN ? AND ?")
    deleteBoard = statement("DELETE FROM board WHERE id = ?")

    insertRepresentation = statement(
      """
      INSERT INTO representation(id, type, created, source, name, preview, data, file, sum)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    deleteRepresentations = statement("DELETE FROM representation WHERE id BETWEEN ? AND ?")
    byteCount = statement(
      "SELECT total(length(data)) FROM representation WHERE id BETWEEN ? AND ?")
    // CASE keeps SQLite from reading data that is not a preview; length() of a blob reads nothing of it.
    item = statement(
      """
      SELECT type, coalesce(file, length(data)), created, source, name,
        CASE WHEN created NOT NULL THEN coalesce(preview, CASE WHEN file IS NULL THEN data END) END
      FROM representation WHERE id BETWEEN ? AND ? ORDER BY id
      """)
    content = statement("SELECT data, file, sum FROM representation WHERE id = ?")
    text = statement(
      """
      SELECT id, type, CASE WHEN file NOT NULL OR length(data) <= ?3 THEN data END, file, sum
      FROM representation
      WHERE id BETWEEN ?1 AND ?2 AND (type IS NULL OR type LIKE 'text/plain;%') ORDER BY id
      """)

    contentIDs = statement(
      """
      SELECT CASE WHEN file NOT NULL THEN data END FROM representation WHERE id BETWEEN ? AND ?
      """)
    // INDEXED BY: it fails rather than reads the table.
    holder = statement(
      """
      SELECT 1 FROM representation INDEXED BY representation_file
      WHERE data = ? AND file NOT NULL LIMIT 1
      """)

    // How far it came, how many rows it read, and how many of them hold a file of which the index
    // knows nothing. NOT INDEXED: it reads the table itself.
    unknownToIndex = statement(
      """
      SELECT max(id), count(*), count(*) FILTER (WHERE content NOT NULL AND NOT EXISTS (
          SELECT 1 FROM representation INDEXED BY representation_file
          WHERE data = content AND file NOT NULL))
      FROM (SELECT id, CASE WHEN file NOT NULL THEN data END AS content
        FROM representation NOT INDEXED WHERE id > ? ORDER BY id LIMIT ?)
      """)

    insertLog = statement(
      "INSERT INTO log(id, revisions, changes, row_count) VALUES (?, ?, ?, ?)")
    log = statement("SELECT changes FROM log WHERE id > ? AND id <= ? ORDER BY id")
    logByteCount = statement("SELECT total(length(changes)) FROM log WHERE id > ? AND id <= ?")
    firstLogged = statement(
      "SELECT id, revisions FROM log WHERE id BETWEEN ? AND ? ORDER BY id LIMIT 1")
    lastLogged = statement(
      "SELECT id, row_count FROM log WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1")
    trimLog = statement("DELETE FROM log WHERE id BETWEEN ? AND ?")
    steps = statement("SELECT id, is_undone, bytes FROM step WHERE id BETWEEN ? AND ? ORDER BY id")
    step = statement("SELECT operations, kept FROM step WHERE id = ?")
    saveStep = statement(
      "REPLACE INTO step(id, is_undone, bytes, operations, kept) VALUES (?, ?, ?, ?, ?)")
    deleteSteps = statement("DELETE FROM step WHERE id BETWEEN ? AND ?")
    moveRepresentations = statement(
      "UPDATE representation SET id = id + ?3 WHERE id BETWEEN ?1 AND ?2")
    sizes = statement(
      """
      SELECT total(coalesce(file, length(data))) FROM representation WHERE id BETWEEN ? AND ?
      """)

    sourceSizes = statement(
      """
      SELECT id, CASE WHEN created NOT NULL THEN coalesce(source, '') END,
        coalesce(file, length(data))
      FROM representation WHERE id > ? ORDER BY id LIMIT ?
      """)

    unindexed = statement(
      """
      SELECT id, type FROM representation
      WHERE id BETWEEN ?1 AND ?2 AND (type IS NULL OR type LIKE 'text/plain;%')
      ORDER BY id LIMIT ?3
      """)
    index = statement("INSERT INTO search(rowid, text) VALUES (?, ?)")
    unindex = statement("INSERT INTO search(search, rowid, text) VALUES ('delete', ?, ?)")
    mergeWords = statement("INSERT INTO search(search, rank) VALUES ('merge', ?)")
    search = statement("SELECT rowid FROM search WHERE search MATCH ?")
    searchOfSource = statement(
      """
      SELECT search.rowid FROM search
      JOIN representation ON representation.id = search.rowid << 8
      WHERE search MATCH ? AND representation.source = ?
      """)

    discard = statement("INSERT INTO discarded(rows) VALUES (?)")
    discarded = statement("SELECT id, rows FROM discarded WHERE id > ? ORDER BY id LIMIT 1")
    saveDiscarded = statement("UPDATE discarded SET rows = ?2 WHERE id = ?1")
    deleteDiscarded = statement("DELETE FROM discarded WHERE id = ?")
  }
}
