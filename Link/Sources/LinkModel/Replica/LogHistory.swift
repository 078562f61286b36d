/// Everything that the log of a board has ever had.
///
/// With it, a row of an earlier copy of the daemon's board can be distinguished from a new row.
struct LogHistory {
  private struct Version: Hashable {
    let row: RowKey
    let contents: [SharedRow.Representation]
  }

  private var created: Set<UInt64> = []
  private var versions: Set<Version> = []
  private var sectionNames: Set<String> = ["main"]

  mutating func add(_ edits: [SharedEdit]) {
    for edit in edits {
      switch edit {
      case .insert(let key, let row, _):
        created.insert(row.created)
        versions.insert(Version(row: key, contents: row.representations))
      case .setContents(let key, let contents):
        versions.insert(Version(row: key, contents: contents))
      case .insertSection(_, let name, _), .renameSection(_, let name): sectionNames.insert(name)
      default: break
      }
    }
  }

  /// Whether the log has had a row with the time of insertion of this row.
  func hasRow(like row: SharedRow) -> Bool { created.contains(row.created) }

  /// Whether a row has had these contents.
  func hasContents(_ contents: [SharedRow.Representation], of row: RowKey) -> Bool {
    versions.contains(Version(row: row, contents: contents))
  }

  /// Whether a section has had this name.
  func hasSection(named name: String) -> Bool { sectionNames.contains(name) }
}
