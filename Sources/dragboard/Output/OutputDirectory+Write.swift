import DragboardClient
import Files

extension OutputDirectory {
  /// Writes a new file.
  ///
  /// - Parameters:
  ///   - name: the name of the new file. If it exists, a number is added.
  ///   - attributes: the attributes of the item, of which the file gets the permissions and the modification time.
  ///   - body: writes the content to the descriptor.
  /// - Returns: the path of the new file.
  /// - Throws: `Failure` if the file cannot be created; the errors of `body`. The new file is then
  ///   removed.
  func write(
    as name: FileName, _ attributes: ItemAttributes, _ body: (Int32) async throws -> Void
  ) async throws -> String {
    let new = try NewFile(named: name, attributes, in: self)
    do { try await body(new.descriptor.number) } catch {
      new.remove()
      throw error
    }
    if let modified = attributes.modified { new.setModified(modified) }
    return new.path
  }

  /// Writes bytes to a new file.
  func write(
    _ bytes: [UInt8], as name: FileName, _ attributes: ItemAttributes
  ) throws(Failure) -> String {
    let new = try NewFile(named: name, attributes, in: self)
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(Failure) in try Console.write(bytes, to: new.descriptor.number) }
    }
    do throws(Failure) { try result.get() } catch {
      new.remove()
      throw error
    }
    if let modified = attributes.modified { new.setModified(modified) }
    return new.path
  }

  /// Writes a received file to a new file.
  func write(
    _ file: ReceivedFile, as name: FileName, _ attributes: ItemAttributes
  ) async throws -> String {
    try await write(as: name, attributes) { try await file.copy(to: $0, isShown: true) }
  }
}

extension FileName {
  /// Creates the name of an item that has no name: `item-1.txt`.
  init(numbered number: Int, of type: ContentType) {
    self.init("item-\(number)" + FileType.ending(of: type))
  }
}
