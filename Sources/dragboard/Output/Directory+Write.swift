import DragboardClient
import Files

extension Directory {
  /// Writes a received file to a new file.
  ///
  /// - Parameters:
  ///   - file: the content.
  ///   - name: the name; if it exists, the file gets a number.
  ///   - modified: the modification time; nil is now.
  /// - Returns: the path of the new file.
  /// - Throws: `Failure`, `DragboardError` or `CancellationError`; the new file is removed then.
  func write(
    _ file: ReceivedFile, as name: FileName, modified: Duration?
  ) async throws -> String {
    let new = try NewFile(named: name, in: self)
    do { try await file.copy(to: new.descriptor.number, isShown: true) } catch {
      new.remove()
      throw error
    }
    if let modified { new.setModified(modified) }
    return new.path
  }
}

extension FileName {
  /// The name of an item without one: `item-1.txt`.
  init(numbered number: Int, of type: ContentType) {
    self.init("item-\(number)" + FileType.ending(of: type))
  }
}
