import DragboardClient

extension ReceivedFile {
  /// Writes the file to a descriptor.
  ///
  /// If the task is cancelled, stops after the current chunk.
  ///
  /// If `isShown` is true, shows a progress bar for a large file.
  ///
  /// - Throws: `DragboardError` if the file cannot be read; `Failure` if the descriptor cannot be
  ///   written; `CancellationError` if the task is cancelled.
  func copy(to descriptor: Int32, isShown: Bool) async throws {
    let size = try byteCount
    let bar = isShown && size >= ProgressBar.minByteCount ? ProgressBar("writing") : nil
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { piece.deallocate() }
    var offset = 0
    while true {
      let count = try read(from: offset, into: piece)
      guard count > 0 else { return }
      try Console.write(UnsafeRawBufferPointer(rebasing: piece[..<count]), to: descriptor)
      offset += count
      bar?.show(Double(offset) / Double(size))
      await Task.yield()
      try Task.checkCancellation()
    }
  }
}
