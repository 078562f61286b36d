import DragModel

/// Takes bytes in as they come: few into memory, many into a file of the repository's.
///
/// Unchecked, because it is used by one thread at a time: the work that it is given to.
final class Spool: @unchecked Sendable {
  private let makeFile: SpoolMaker
  private var memory: [UInt8] = []
  private var file: (any ContentSpool)?
  private let isText: Bool
  private var check = UTF8Check()

  /// An empty one for bytes of a type; nil for bytes that have been checked.
  init(_ type: ContentType?, makeFile: @escaping SpoolMaker) {
    self.makeFile = makeFile
    isText = type?.isPlainText ?? false
  }

  /// The first byte that is not what the type promises.
  var firstInvalidByte: Int? { check.firstInvalidByte }

  /// Takes the next bytes.
  func append(_ bytes: UnsafeRawBufferPointer) throws(RepositoryError) {
    let text = bytes.bindMemory(to: UInt8.self)
    if isText { check.take(text.span) }
    if let file { return try file.append(bytes) }
    guard memory.count + bytes.count > StoredBytes.mostInline else {
      return memory.append(contentsOf: bytes)
    }
    let (file, memory) = (try makeFile(), memory)
    try memory.span.bytes.withUnsafeBytes { (start) throws(RepositoryError) in
      try file.append(start)
    }
    try file.append(bytes)
    (self.file, self.memory) = (file, [])
  }

  /// What came.
  func finish() throws(RepositoryError) -> Bytes {
    check.finish()
    return try file.map { file throws(RepositoryError) in .file(try file.finish()) }
      ?? .memory(memory)
  }
}
