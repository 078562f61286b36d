import DBus
import DragModel
import DragboardStore
import Files

/// The bytes of a representation in a call that inserts a row.
struct IncomingContent: Sendable {
  /// The location of the bytes.
  enum Source: Sendable {
    /// The bytes are in the message of the call.
    case data([UInt8])
    /// The bytes are in a file that this argument of the call refers to.
    case file(ClientFile, argument: String)
  }

  let type: MIMEType
  let source: Source

  static func plainText(_ text: String) -> IncomingContent {
    IncomingContent(type: .plainText, source: .data(Array(text.utf8)))
  }

  /// The bytes if they are in the message.
  var data: [UInt8]? {
    if case .data(let data) = source { data } else { nil }
  }

  /// The number of bytes that the content occupies in memory.
  var byteCountInMemory: Int { data?.count ?? 0 }

  /// The resource for which ``prepared(max:noting:in:)`` may have to wait.
  var workKind: WorkKind {
    if case .file(let file, _) = source { file.workKind } else { .storage }
  }

  var byteCount: Int {
    switch source {
    case .data(let data): data.count
    case .file(let file, _): file.byteCount
    }
  }

  /// The representation if it can be stored without waiting.
  var ready: RowContent.Representation? {
    guard case .data(let data) = source, data.count <= Payload.inlineLimit else { return nil }
    return RowContent.Representation(type: type, data: data)
  }

  /// Returns whether the bytes are in the message and equal `other`.
  ///
  /// It may read the file of `other`, so do not call it on the event loop.
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

  /// Returns the representation, after writing many bytes to a file.
  ///
  /// Do not call it on the event loop.
  ///
  /// - Throws: the error for the client if the bytes are invalid, too many, or cannot be read or
  ///   written.
  func prepared(
    max: Int, noting reading: FileReading = FileReading(), in files: ContentDirectory
  ) throws(DBusError) -> RowContent.Representation {
    if let ready { return ready }
    let bytes: Payload =
      switch source {
      case .data(let data): .memory(data)
      case .file(let file, let argument):
        try file.taken(as: type, max: max, noting: reading, in: files, argument: argument)
      }
    do throws(StoreError) {
      return try RowContent.Representation(preparing: bytes, type, in: files)
    } catch { throw error.answer }
  }
}
