public import DragModel

/// A writer that streams bytes to memory, or to a file of the store if there are many.
///
/// Use it from one thread at a time. If it is released before it is finished, the bytes are
/// removed.
public final class PayloadWriter: @unchecked Sendable {
  // Unchecked: the owner serializes all calls, and shared members are Sendable.

  private let contents: ContentDirectory
  private var memory: [UInt8] = []
  private var file: ContentWriter?
  private var check: UTF8Check?

  /// Begins an empty payload.
  ///
  /// - Parameters:
  ///   - type: the type of the bytes. The bytes of plain text must be UTF-8. If the type is nil,
  ///     the bytes are not checked.
  ///   - contents: the directory for the file if the bytes exceed the limit of memory.
  public init(_ type: MIMEType? = nil, in contents: ContentDirectory) {
    self.contents = contents
    if let type, type.isPlainText { check = UTF8Check() }
  }

  /// The offset of the first byte that is invalid for the type; nil if there is none.
  ///
  /// The value is final after ``finish()``.
  public var firstInvalidByte: Int? { check?.firstInvalidByte }

  /// Appends bytes.
  ///
  /// After an error, every later call fails.
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

  /// Finishes the payload.
  ///
  /// Do not append bytes afterwards.
  public func finish() throws(StoreError) -> Payload {
    check?.finish()
    if let file { return .file(try file.finish()) }
    return .memory(memory)
  }
}
