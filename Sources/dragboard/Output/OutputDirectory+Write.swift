import DragboardClient
import Files

extension OutputDirectory {
  /// Writes a received file to a new file.
  ///
  /// - Parameters:
  ///   - file: the content.
  ///   - name: the name of the new file. If it exists, a number is added.
  ///   - modified: the modification time; nil for the current time.
  /// - Returns: the path of the new file.
  /// - Throws: `Failure` if the file cannot be written; `DragboardError` if `file` cannot be read;
  ///   `CancellationError` if the task is cancelled. The new file is then removed.
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
  /// Creates the name of an item that has no name: `item-1.txt`.
  init(numbered number: Int, of type: ContentType) {
    self.init("item-\(number)" + FileType.ending(of: type))
  }
}
