import DragboardClient
import Glibc

/// Loads the items of a drop that this command has taken, and puts them where they shall go.
struct DropReceiver {
  private let drop: AcceptedDrop
  private let type: ContentType
  /// Nil is standard output.
  private let folder: String?
  private let isJSON: Bool

  /// - Parameters:
  ///   - drop: the drop.
  ///   - type: what is loaded of each item.
  ///   - folder: where the files go; nil is standard output.
  ///   - isJSON: whether what was written is told as JSON.
  init(_ drop: AcceptedDrop, type: ContentType, folder: String?, isJSON: Bool) {
    self.drop = drop
    self.type = type
    self.folder = folder
    self.isJSON = isJSON
  }

  /// Loads all items, in order.
  ///
  /// - Throws: `CommandError` where an item has no such type; `DragboardError`, `Failure`.
  func receiveAll() async throws {
    let count = try await drop.session.info().itemCount
    for item in 0..<count {
      let file = try await drop.file(ofItem: item, as: type)
      if let folder {
        try tell(item, try await write(file, item, to: folder))
      } else {
        try await ByteSink(nil).write(.file(file))
        if count > 1 { try Console.write("\n") }
      }
    }
  }

  private func write(
    _ file: ReceivedFile, _ item: Int, to folder: String
  ) async throws -> String {
    let name = try await name(of: item)
    let new = try NewFile(named: name, in: folder)
    do { try await FileCopy.copy(file, isShown: true) { try new.write($0) } } catch {
      new.remove()
      throw error
    }
    return new.path
  }

  /// What the source suggests, as the name of a file; else a number, with the ending of its type.
  private func name(of item: Int) async throws(DragboardError) -> String {
    let suggested = try await drop.session.suggestedName(ofItem: item)
    let name = String(suggested.map { $0 == "/" || $0.isNewline ? "_" : $0 })
    if !name.isEmpty, name != ".", name != ".." { return name }
    let types = try await drop.session.types(ofItem: item)
    return "item-\(item + 1)" + FileType.ending(of: types.first ?? .data)
  }

  private func tell(_ item: Int, _ path: String) throws(Failure) {
    if isJSON { return try Console.writeLine(["item": JSON(item), "path": .string(path)]) }
    try Console.writeLine(TerminalText(path).text)
  }
}
