import BoardModel
import DragModel
import DragboardStore

/// The bytes of a representation that need not be loaded, because they come from the source or from
/// a row.
///
/// Unchecked, because it is confined to the connection's loop, like the whole service.
final class ReadyContent: RepresentationContent, @unchecked Sendable {
  /// The row that contained the bytes when the drag began; nil if the source provided them.
  let row: RowID?
  let byteCount: Int
  private var place: Place

  private enum Place {
    /// The bytes are in the store, as long as the row is unchanged.
    case store(BoardStore, RowID, ordinal: Int)
    case here(Payload)
  }

  /// Creates a content of bytes that the source provided.
  init(_ bytes: Payload) {
    row = nil
    byteCount = bytes.byteCount
    place = .here(bytes)
  }

  init(_ row: RowID, ordinal: Int, byteCount: Int, in store: BoardStore) {
    self.row = row
    self.byteCount = byteCount
    place = .store(store, row, ordinal: ordinal)
  }

  /// The bytes of a row count, because ``preserve()`` reads them.
  var memoryByteCount: Int { Payload.memoryByteCount(of: byteCount) }

  /// Returns the bytes from memory, a file or the store.
  func bytes() throws(StoreError) -> Payload {
    switch place {
    case .here(let bytes): bytes
    case .store(let store, let row, let ordinal): try store.content(of: row, at: ordinal)
    }
  }

  /// Reads the bytes, because the row is going to change or to be deleted.
  ///
  /// The store retains their file as long as this object exists.
  func preserve() throws(StoreError) { place = .here(try bytes()) }

  /// Whether the bytes are in memory and too many for the database.
  var isLarge: Bool {
    if case .here(let bytes) = place {
      bytes.inMemory != nil && bytes.inlineBytes == nil
    } else {
      false
    }
  }

  /// Moves the bytes from memory to a file, on another thread.
  ///
  /// If the disk refuses the bytes, they stay in memory.
  func moveToFile(_ scheduler: Scheduler, _ contents: ContentDirectory) {
    guard case .here(let bytes) = place else { return }
    scheduler.work {
      Result { () throws(StoreError) in try bytes.moved(in: contents) }
    } then: { [self] _, moved in
      if case .success(let bytes) = moved { place = .here(bytes) }
    }
  }
}

extension ItemProvider {
  /// Creates an item of one plain text that is visible to all applications.
  init(plainText text: String) {
    self.init()
    // This cannot fail, because the first representation of an item exceeds no limit, and its type
    // does not occur twice.
    try? register(.plainText(text))
  }
}

extension Representation {
  static func plainText(_ text: String) -> Representation {
    Representation(
      type: .plainText, visibility: .all, content: ReadyContent(.memory(Array(text.utf8))))
  }
}

extension Payload {
  /// Returns the part of a content's bytes that is in memory: none if the content is in a file.
  static func memoryByteCount(of byteCount: Int) -> Int {
    byteCount <= inlineLimit ? byteCount : 0
  }
}
