import BoardModel
import DragModel

/// What a row held when it was picked up.
///
/// It stays in the repository as long as the row is as it was; when the row is about to change or go, it is read, and kept here.
/// Unchecked, because it is confined to the connection's loop, as all of the service is.
final class RowBytes: LoadableContent, @unchecked Sendable {
  let row: RowID
  let byteCount: Int
  private var place: Place

  private enum Place {
    case repository(any BoardRepository, RowID, ordinal: Int)
    case memory([UInt8])
  }

  init(_ row: RowID, ordinal: Int, byteCount: Int, in repository: any BoardRepository) {
    self.row = row
    self.byteCount = byteCount
    place = .repository(repository, row, ordinal: ordinal)
  }

  func bytes() throws(RepositoryError) -> [UInt8] {
    switch place {
    case .memory(let bytes): bytes
    case .repository(let repository, let row, let ordinal):
      try repository.data(of: row, at: ordinal)
    }
  }

  /// Reads the bytes while they can still be had.
  func preserve() throws(RepositoryError) { place = .memory(try bytes()) }
}
