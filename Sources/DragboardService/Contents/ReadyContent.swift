import BoardModel
import DragModel
import DragboardStore

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

  /// Whether many bytes are in memory.
  var isLarge: Bool {
    if case .here(let bytes) = place { bytes.inMemory != nil && bytes.inlineBytes == nil } else { false }
  }

  /// Moves the bytes from memory to a file, on another thread.
  ///
  /// If the disk does not take them, they stay in memory.
  func moveToFile(_ scheduler: Scheduler, _ contents: ContentFolder) {
    guard case .here(let bytes) = place else { return }
    scheduler.work {
      Result { () throws(StoreError) in try bytes.moved(in: contents) }
    } then: { [self] _, moved in
      if case .success(let bytes) = moved { place = .here(bytes) }
    }
  }
}

extension ItemProvider {
  /// An item of one plain text that everybody may see.
  init(plainText text: String) {
    self.init()
    // The first representation of an item exceeds no limit, and its type does not occur twice.
    try? register(.plainText(text))
  }
}

extension Representation {
  static func plainText(_ text: String) -> Representation {
    Representation(
      type: .plainText, visibility: .all, content: ReadyContent(.memory(Array(text.utf8))))
  }
}
