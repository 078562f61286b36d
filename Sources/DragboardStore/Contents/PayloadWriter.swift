public import DragModel

/// A writer that streams bytes to memory, or to a file of the store if there are many.
///
/// It is used by one thread at a time. If it is not finished, nothing remains of the payload.
public final class PayloadWriter: @unchecked Sendable {
  // Unchecked: the owner serializes all calls, and shared members are Sendable.

  private let contents: ContentDirectory
  private var memory: [UInt8] = []
  private var file: ContentWriter?
  private var check: UTF8Check?

  /// Begins an empty payload.
  ///
  /// - Parameters:
  ///   - type: the type of the bytes; plain text must be UTF-8. Nil means that the bytes need no
  ///     check.
  ///   - contents: makes the file if the bytes exceed the limit of memory.
  public init(_ type: ContentType? = nil, in contents: ContentDirectory) {
    self.contents = contents
    if let type, type.isPlainText { check = UTF8Check() }
  }

  /// The offset of the first byte that is invalid for the type; final after ``finish()``.
  public var firstInvalidByte: Int? { check?.firstInvalidByte }

  /// Appends bytes; after an error every later call fails.
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

  /// Finishes the payload; nothing may be appended afterwards.
  public func finish() throws(StoreError) -> Payload {
    check?.finish()
    if let file { return .file(try file.finish()) }
    return .memory(memory)
  }
}
