import BoardModel
import DragModel
import DragboardStore
import Logging

/// The bytes of a representation that need no loading: the source gave them, or a row has them.
///
/// Unchecked, because it is confined to the connection's loop, as all of the service is.
final class ReadyContent: RepresentationContent, @unchecked Sendable {
  /// The row that had the bytes when it was picked up; nil if the source gave them.
  let row: RowID?
  let byteCount: Int
  private var place: Place

  private enum Place {
    /// In the repository, as long as the row stays as it is.
    case repository(any BoardRepository, RowID, ordinal: Int)
    case here(Payload)
  }

  /// The bytes that the source gave.
  init(_ bytes: Payload) {
    row = nil
    byteCount = bytes.byteCount
    place = .here(bytes)
  }

  /// The bytes of a row.
  init(_ row: RowID, ordinal: Int, byteCount: Int, in repository: any BoardRepository) {
    self.row = row
    self.byteCount = byteCount
    place = .repository(repository, row, ordinal: ordinal)
  }

  /// The bytes, wherever they are.
  func bytes() throws(StoreError) -> Payload {
    switch place {
    case .here(let bytes): bytes
    case .repository(let repository, let row, let ordinal):
      try repository.content(of: row, at: ordinal)
    }
  }

  /// Takes the bytes over before the row changes or goes; a file stays as long as this object does.
  func preserve() throws(StoreError) { place = .here(try bytes()) }

  /// Moves many bytes out of memory into a file, without anybody's waiting.
  ///
  /// If the disk does not take them, they stay where they are.
  func moveToFile(_ service: Service) {
    guard case .here(let bytes) = place, bytes.inMemory != nil, bytes.inlineBytes == nil else {
      return
    }
    let contents = service.repository.contents
    service.work {
      Result { () throws(StoreError) in try bytes.moved(in: contents) }
    } then: { [self] moved in
      switch moved {
      case .success(let bytes): place = .here(bytes)
      case .failure(let error):
        service.log.warning("\(byteCount) bytes of a drag stay in memory: \(error)")
      }
    }
  }
}

extension ItemProvider {
  /// An item of one plain text that everybody may see.
  init(plainText text: String) {
    self.init()
    // The first representation of an item is neither one too many nor one that is there already.
    try? register(.plainText(text))
  }

  /// Moves what is large out of memory.
  func moveToFiles(_ service: Service) {
    for representation in representations { representation.moveToFile(service) }
  }
}

extension Representation {
  static func plainText(_ text: String) -> Representation {
    Representation(
      type: .plainText, visibility: .all, content: ReadyContent(.memory(Array(text.utf8))))
  }

  /// Moves what is large out of memory.
  func moveToFile(_ service: Service) {
    (content as? ReadyContent)?.moveToFile(service)
  }
}
