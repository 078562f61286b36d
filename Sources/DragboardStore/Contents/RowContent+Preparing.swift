public import DragModel

extension RowContent.Representation {
  /// Prepares bytes for storage.
  ///
  /// Few bytes stay in memory, and more bytes are written to a durable file.
  ///
  /// It reads and writes files, so do not call it on the event loop.
  ///
  /// - Parameters:
  ///   - bytes: the bytes, which must be valid for the type.
  ///   - type: the type of the bytes.
  ///   - contents: the directory for a file.
  /// - Throws: `StoreError`.
  public init(
    preparing bytes: Payload, _ type: MIMEType, in contents: ContentDirectory
  ) throws(StoreError) {
    let ready = try bytes.isReadyToStore ? bytes : bytes.moved(in: contents)
    guard case .file(let file) = ready else {
      self.init(type: type, data: try ready.read())
      return
    }
    try file.sync()
    let preview = type.isPlainText ? try Preview.of(reading: ready) : ""
    self.init(type: type, bytes: ready, preview: preview)
  }
}

extension Payload {
  /// Whether the bytes are in their final location.
  ///
  /// Bytes in their final location may not be durable yet.
  fileprivate var isReadyToStore: Bool {
    if case .file = self { true } else { isInline }
  }
}

extension Preview {
  /// Returns the preview of a text in a file.
  ///
  /// It reads only the beginning of the file.
  fileprivate static func of(reading bytes: Payload) throws(StoreError) -> String {
    var reader = PreviewReader()
    try bytes.forEachPiece { piece in
      let text = piece.bindMemory(to: UInt8.self)
      reader.take(text.span)
      return !reader.isSettled
    }
    return reader.preview
  }
}
