import DragboardClient
import Files
import Glibc
import LinkModel

/// The file of a row that the user drags from the shelf.
///
/// Other machines get its bytes instead of its address, which is a path of this machine.
struct DraggedFile {
  /// The type of the bytes for other machines.
  static let type = "application/octet-stream"
  /// The application of the shelf, for which no sandboxed program can act.
  private static let shelf = "org.dragboard.Shelf"

  private let reference: FileReference
  /// The number of bytes at the beginning of the drag.
  let byteCount: Int

  /// The name of the file.
  var name: String { reference.name }

  /// Finds the file of an item of a session.
  ///
  /// - Returns: nil if the item is no row that the shelf drags, if the row has other contents than the
  ///   address of one regular file, or if a sandboxed program or another machine has inserted it.
  static func find(_ item: Int, of session: DragSession) async throws(DragboardError)
    -> DraggedFile?
  {
    let info = try await session.info()
    guard info.application == shelf, let board = info.sourceBoard,
      info.sourceRows.indices.contains(item)
    else { return nil }
    let (rows, id) = (Board(board, on: session.connection), info.sourceRows[item])
    let row = try await rows.row(at: try await rows.position(of: id))
    guard row.id == id, FileReference.isOpenable(fromSource: row.source),
      row.types.contains(.uriList), row.byteCount <= FileReference.maxBytes
    else { return nil }
    for type in row.types where type != .uriList {
      let isText = type.rawValue.hasPrefix("text/plain")
      let text = isText ? try await rows.data(of: id, as: type) : []
      guard FileReference.isRepeated(by: type.rawValue, text) else { return nil }
    }
    let list = try await rows.data(of: id, as: .uriList)
    guard let reference = FileReference(list), let file = try? reference.open(),
      let byteCount = try? file.byteCount()
    else { return nil }
    return DraggedFile(reference: reference, byteCount: byteCount)
  }

  /// Opens the file.
  func open() throws(FileError) -> ReceivedFile {
    guard let file = try reference.open() else { throw FileError(path: name, code: ENOENT) }
    let copy = fcntl(file.number, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw FileError(path: name) }
    return ReceivedFile(adopting: copy)
  }
}
