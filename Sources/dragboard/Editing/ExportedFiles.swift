import DragboardClient
import Files
import Glibc

/// The files that the shelf has copied for drags.
enum ExportedFiles {
  /// Deletes the files of all rows that no longer exist, and of other drags.
  ///
  /// The shelf need not be running.
  ///
  /// - Throws: `CommandError` if the cache cannot be opened; `DragboardError`.
  static func erase(on connection: DragboardConnection) async throws {
    guard let path = ShelfCache.userPath else { return }
    let cache: ShelfCache
    do throws(FileError) { cache = try ShelfCache(path) } catch {
      guard error.code != ENOENT else { return }
      throw CommandError(
        .inputOutput,
        "the rows are erased, but not the files that the shelf copied for drags: \(error)",
        remedy: "Check that \(path) is a directory of yours and not a link.")
    }
    guard !cache.owners.isEmpty else { return }
    var rows: Set<String> = []
    for board in try await connection.boards() {
      let sections = try await board.board.snapshot().sections
      rows.formUnion(sections.lazy.flatMap(\.items).map(\.description))
    }
    cache.remove(except: rows)
  }
}
