import DragboardClient
import Files
import Glibc

/// The receiver of a drop that this command has accepted.
///
/// It writes the items to files or to standard output.
struct DropReceiver {
  private let drop: AcceptedDrop
  private let type: ContentType
  /// The directory of the new files; nil for standard output.
  private let directory: OutputDirectory?
  private let reservation: DiskReservation?
  private let isJSON: Bool
  /// Whether standard output is a terminal to which only text is written.
  private let isTerminal: Bool

  /// Creates a receiver.
  ///
  /// If `isForced` is true, it also writes bytes that are not text to a terminal.
  init(
    _ drop: AcceptedDrop, type: ContentType, directory: OutputDirectory?,
    reservation: DiskReservation?,
    isJSON: Bool, isForced: Bool
  ) {
    isTerminal = Console.isTerminal && !isForced
    self.drop = drop
    self.type = type
    self.directory = directory
    self.reservation = reservation
    self.isJSON = isJSON
  }

  /// Loads and writes all items, in order.
  ///
  /// - Throws: `CommandError` if an item is not text and standard output is a terminal;
  ///   `DragboardError` if an item cannot be loaded; `Failure` if it cannot be written.
  func receiveAll() async throws {
    let count = try await drop.session.info().itemCount
    for item in 0..<count {
      let file = try await drop.file(ofItem: item, as: type)
      if let directory {
        reservation?.releaseNext()
        try report(item, try await write(file, item, to: directory))
      } else if isTerminal {
        guard try TerminalWriter.write(file) else {
          throw CommandError(.refused, "item \(item): is not text, and the output is a terminal")
        }
      } else {
        try await ByteSink(nil).write(file)
        if count > 1 { try Console.write("\n") }
      }
    }
  }

  private func write(
    _ file: ReceivedFile, _ item: Int, to directory: OutputDirectory
  ) async throws -> String {
    let attributes = try await drop.session.attributes(ofItem: item)
    return try await directory.write(
      file, as: try await name(of: item, attributes), modified: attributes.modified)
  }

  /// Returns a safe form of the name that the source suggests.
  ///
  /// If nothing of the name is left, returns `item-1` with the extension of the item's type.
  private func name(
    of item: Int, _ attributes: ItemAttributes
  ) async throws(DragboardError) -> FileName {
    if let name = FileName(suggested: attributes.name) { return name }
    let types = try await drop.session.types(ofItem: item)
    return FileName(numbered: item + 1, of: types.first ?? .data)
  }

  private func report(_ item: Int, _ path: String) throws(Failure) {
    if isJSON { return try Console.writeLine(["item": JSON(item), "path": .string(path)]) }
    try Console.writeLine(TerminalText(path).text)
  }
}
