public import DragModel

/// Takes bytes piece by piece: few into memory, more into a file of the store's.
///
/// Used by one thread at a time, whichever. One that goes unfinished leaves nothing.
public final class PayloadWriter: @unchecked Sendable {
  // Unchecked: its owner sees to it that calls come one after the other, and what it shares is
  // Sendable.

  private let contents: ContentDirectory
  private var memory: [UInt8] = []
  private var file: ContentWriter?
  private var check: UTF8Check?

  /// Begins an empty payload.
  ///
  /// - Parameters:
  ///   - type: the type of the bytes: plain text is checked to be UTF-8; nil for bytes that need no
  ///     check.
  ///   - contents: makes the file, when more bytes come than are kept in memory.
  public init(_ type: ContentType? = nil, in contents: ContentDirectory) {
    self.contents = contents
    if let type, type.isPlainText { check = UTF8Check() }
  }

  /// The offset of the first byte that is not what the type promises; final after ``finish()``.
  public var firstInvalidByte: Int? { check?.firstInvalidByte }

  /// Appends bytes; if it fails, no others can follow.
  ///
  /// - Throws: `StoreError`, with `ENOSPC` if the disk is full.
  public func append(_ bytes: UnsafeRawBufferPointer) throws(StoreError) {
    let text = bytes.bindMemory(to: UInt8.self)
    check?.take(text.span)
    if let file { return try file.append(bytes) }
    guard memory.count + bytes.count > Payload.inlineLimit else {
      return memory.append(contentsOf: bytes)
    }
    let (file, memory) = (try contents.makeWriter(), memory)
    try memory.span.bytes.withUnsafeBytes { start throws(StoreError) in try file.append(start) }
    try file.append(bytes)
    (self.file, self.memory) = (file, [])
  }

  /// Concludes the payload, which takes no more bytes then.
  public func finish() throws(StoreError) -> Payload {
    check?.finish()
    if let file { return .file(try file.finish()) }
    return .memory(memory)
  }
}
