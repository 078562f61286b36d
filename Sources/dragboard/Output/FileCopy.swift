import DragboardClient

/// Bytes on their way from the daemon to where they shall go.
enum FileCopy {
  private static let pieceSize = 1 << 20

  /// Hands all bytes to `write`, in order; what is cancelled ends between two pieces.
  ///
  /// - Parameters:
  ///   - file: what is copied.
  ///   - isShown: whether a bar tells how far it is, where that takes a while.
  ///   - write: takes a piece.
  /// - Throws: `DragboardError` where it cannot be read, `CancellationError`, and what `write` throws.
  static func copy(
    _ file: ReceivedFile, isShown: Bool, to write: (UnsafeRawBufferPointer) throws -> Void
  ) async throws {
    let size = try file.byteCount
    let bar = isShown && size >= ProgressBar.smallestFile ? ProgressBar("writing") : nil
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
    defer { piece.deallocate() }
    var offset = 0
    while true {
      let count = try file.read(from: offset, into: piece)
      guard count > 0 else { return }
      try write(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      offset += count
      bar?.show(Double(offset) / Double(size))
      await Task.yield()
      try Task.checkCancellation()
    }
  }
}
