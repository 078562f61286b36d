import BoardModel
import DragModel

/// What a row held when it was picked up.
///
/// It stays in the repository as long as the row is as it was; when the row is about to change or go, it is kept here.
/// Unchecked, because it is confined to the connection's loop, as all of the service is.
final class RowBytes: LoadableContent, @unchecked Sendable {
  let row: RowID
  let byteCount: Int
  private var place: Place

  private enum Place {
    case repository(any BoardRepository, RowID, ordinal: Int)
    case here(Bytes)
  }

  init(_ row: RowID, ordinal: Int, byteCount: Int, in repository: any BoardRepository) {
    self.row = row
    self.byteCount = byteCount
    place = .repository(repository, row, ordinal: ordinal)
  }

  func bytes() throws(RepositoryError) -> Bytes {
    switch place {
    case .here(let bytes): bytes
    case .repository(let repository, let row, let ordinal):
      Bytes(try repository.content(of: row, at: ordinal))
    }
  }

  /// Takes the bytes over while they can still be had: few into memory; the file of many stays as long as this does.
  func preserve() throws(RepositoryError) { place = .here(try bytes()) }
}
