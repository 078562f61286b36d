import DBus
import DragModel

extension RowContent.Representation {
  /// Bytes made ready to be stored: few in memory, many in a file, on the disk.
  ///
  /// It reads and writes files: not for the loop, unless ``Bytes/isReadyToStore``.
  init(
    preparing bytes: Bytes, _ type: ContentType, makeFile: @escaping SpoolMaker
  ) throws(RepositoryError) {
    let ready = try bytes.isReadyToStore ? bytes : bytes.moved(as: type, makeFile: makeFile)
    switch ready {
    case .memory(let few): self.init(type: type, data: few)
    case .file(let file):
      try file.sync()
      let preview = type.isPlainText ? try Preview.of(reading: ready) : ""
      self.init(type: type, bytes: .file(file), preview: preview)
    case .sealed: self.init(type: type, data: try ready.read())
    }
  }
}

extension Bytes {
  /// Whether they lie as a repository keeps them, but for the disk's having them.
  fileprivate var isReadyToStore: Bool {
    switch self {
    case .memory(let bytes): bytes.count <= StoredBytes.mostInline
    case .sealed: false
    case .file: true
    }
  }

  /// The few bytes that can be stored at once.
  var few: [UInt8]? { inMemory.flatMap { $0.count <= StoredBytes.mostInline ? $0 : nil } }

  /// The bytes in a file, or in memory where they are few.
  func moved(
    as type: ContentType? = nil, makeFile: @escaping SpoolMaker
  ) throws(RepositoryError) -> Bytes {
    let spool = Spool(type, makeFile: makeFile)
    do throws(PieceError<RepositoryError>) {
      try forEachPiece { (piece) throws(RepositoryError) in try spool.append(piece) }
    } catch { throw error.asRepositoryError }
    return try spool.finish()
  }
}

extension Preview {
  /// The preview of a text that lies in a file, of which no more is read than that takes.
  fileprivate static func of(reading bytes: Bytes) throws(RepositoryError) -> String {
    var reader = PreviewReader()
    do throws(PieceError<PreviewFound>) {
      try bytes.forEachPiece { (piece) throws(PreviewFound) in
        let text = piece.bindMemory(to: UInt8.self)
        reader.take(text.span)
        guard !reader.isSettled else { throw PreviewFound() }
      }
    } catch {
      if case .reading(let error) = error { throw error }
    }
    return reader.preview
  }
}

/// Nothing more has to be read.
private struct PreviewFound: Error {}
