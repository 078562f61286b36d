import DBus
import DragModel
import DragboardStore
import Files

/// Bytes that a call brings for a row of its own.
struct IncomingContent: Sendable {
  /// Where they are.
  enum Source: Sendable {
    /// In the call.
    case data([UInt8])
    /// In a file that came with it.
    case file(ClientFile)
  }

  let type: ContentType
  let source: Source

  static func plainText(_ text: String) -> IncomingContent {
    IncomingContent(type: .plainText, source: .data(Array(text.utf8)))
  }

  /// The bytes where they came in the call.
  var data: [UInt8]? {
    if case .data(let data) = source { data } else { nil }
  }

  /// How many bytes of it are in memory.
  var byteCountInMemory: Int { data?.count ?? 0 }

  /// What making it ready may have to wait for.
  var workKind: WorkKind {
    if case .file(let file) = source { file.workKind } else { .storage }
  }

  var byteCount: Int {
    switch source {
    case .data(let data): data.count
    case .file(let file): file.byteCount
    }
  }

  /// What can be stored as it is, without a wait.
  var ready: RowContent.Representation? {
    guard case .data(let data) = source, data.count <= Payload.inlineLimit else { return nil }
    return RowContent.Representation(type: type, data: data)
  }

  /// Whether bytes that came in the call are the same as those; not for the loop.
  func isSame(as other: Payload) throws(DBusError) -> Bool {
    guard let data, data.count == other.byteCount else { return false }
    var (rest, isSame) = (data[...], true)
    do throws(StoreError) {
      try other.forEachPiece { piece in
        isSame = isSame && rest.prefix(piece.count).elementsEqual(piece)
        rest = rest.dropFirst(piece.count)
        return isSame
      }
    } catch { throw error.answer }
    return isSame && rest.isEmpty
  }

  /// Makes it ready to be stored, in a file that is on the disk; not for the loop.
  ///
  /// - Throws: what the client is told.
  func prepared(
    max: Int, noting reading: FileReading = FileReading(), in files: ContentFolder
  ) throws(DBusError) -> RowContent.Representation {
    if let ready { return ready }
    let bytes: Payload =
      switch source {
      case .data(let data): .memory(data)
      case .file(let file):
        try file.taken(as: type, max: max, noting: reading, in: files)
      }
    do throws(StoreError) {
      return try RowContent.Representation(preparing: bytes, type, in: files)
    } catch { throw error.answer }
  }
}
