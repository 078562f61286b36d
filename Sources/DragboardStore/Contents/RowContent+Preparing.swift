public import DragModel

extension RowContent.Representation {
  /// Prepares bytes for storage: few in memory, more in a durable file.
  ///
  /// It reads and writes files, so do not call it in the event loop.
  ///
  /// - Parameters:
  ///   - bytes: the bytes, valid for the type.
  ///   - type: their type.
  ///   - contents: makes a file.
  /// - Throws: `StoreError`.
  public init(
    preparing bytes: Payload, _ type: ContentType, in contents: ContentDirectory
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
  /// Whether the bytes are in their final location, though perhaps not durable.
  fileprivate var isReadyToStore: Bool {
    if case .file = self { true } else { isInline }
  }
}

extension Preview {
  /// Returns the preview of a text in a file; it reads only the beginning.
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
