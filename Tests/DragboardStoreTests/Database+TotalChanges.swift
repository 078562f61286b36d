@testable import DragboardStore

extension Database {
  /// How many rows have been inserted, changed and deleted since the file was opened.
  var totalChanges: Int64 {
    get throws { try integer("SELECT total_changes()") }
  }
}
