/// Every statement that runs more than once, each prepared at its first use.
struct Statements {
  let begin, commit, rollback: Statement

  let salt, counter, saveCounter: Statement

  let boards, sections, blocks: Statement
  let insertBoard, renameBoard, saveSettings, saveRevision: Statement
  let insertSection, deleteSections, saveBlock, deleteBlock: Statement
  let discardBlocks, deleteBlocks, deleteBoard: Statement

  let insertRepresentation, deleteRepresentations, byteCount: Statement
  let item, content, text: Statement

  let discard, oldestDiscarded, saveDiscarded, deleteDiscarded: Statement

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
      INSERT INTO representation(id, type, created, source, name, preview, data)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    deleteRepresentations = statement("DELETE FROM representation WHERE id BETWEEN ? AND ?")
    byteCount = statement(
      "SELECT total(length(data)) FROM representation WHERE id BETWEEN ? AND ?")
    // CASE keeps SQLite from reading data that is not a preview; length() of a blob reads nothing of it.
    item = statement(
      """
      SELECT type, length(data), created, source, name,
        CASE WHEN created NOT NULL THEN coalesce(preview, data) END
      FROM representation WHERE id BETWEEN ? AND ? ORDER BY id
      """)
    content = statement("SELECT data FROM representation WHERE id = ?")
    text = statement(
      """
      SELECT id, type, CASE WHEN length(data) <= ?3 THEN data END
      FROM representation
      WHERE id BETWEEN ?1 AND ?2 AND (type IS NULL OR type LIKE 'text/plain;%') ORDER BY id
      """)

    discard = statement("INSERT INTO discarded(rows) VALUES (?)")
    oldestDiscarded = statement("SELECT id, rows FROM discarded ORDER BY id LIMIT 1")
    saveDiscarded = statement("UPDATE discarded SET rows = ?2 WHERE id = ?1")
    deleteDiscarded = statement("DELETE FROM discarded WHERE id = ?")
  }
}
