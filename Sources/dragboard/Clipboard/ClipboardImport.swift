import ArgumentParser
import DragboardClient

struct ClipboardImport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import the history of another clipboard manager.",
    discussion: """
      Append the entries to the board 'clipboard', in their order, without entries that the manager has marked as \
      passwords. The manager has to run. Its program gpaste-client or copyq must be installed.

      EXAMPLES:
        dragboard clipboard import gpaste
      """)

  @Argument(help: "The clipboard manager: gpaste or copyq.")
  var manager: ClipboardManager
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection) { dragboard in
      let items = try manager.items().map { InputItem(name: "an entry of \(manager)", item: $0) }
      guard !items.isEmpty else { throw CommandError(.refused, "\(manager) has no entries") }
      let board = try await dragboard.clipboard.board()
      let rows = try await board.insert(items, inSection: 0, at: nil)
      try Console.writeLine("Imported \(Amounts.count(rows.count, "row")).")
    }
  }
}

/// A clipboard manager with a program that prints its history.
enum ClipboardManager: String, CaseIterable, ExpressibleByArgument {
  case gpaste, copyq

  /// Returns the entries, the latest first.
  ///
  /// - Throws: `CommandError` with the message of the program.
  func items() throws(CommandError) -> [DragItem] {
    switch self {
    case .gpaste: try gpasteItems()
    case .copyq: try copyqItems()
    }
  }

  /// Reads the entries of gpaste.
  ///
  /// An entry is a text if its displayed text and its raw value are equal.
  ///
  /// The raw value of a picture is its path, the raw value of files is their paths, and the raw
  /// value of a password is asterisks.
  private func gpasteItems() throws(CommandError) -> [DragItem] {
    func entries(_ options: String...) throws(CommandError) -> [Substring] {
      String(decoding: try output("gpaste-client", ["history", "--zero"] + options), as: UTF8.self)
        .split(separator: "\0", omittingEmptySubsequences: false)
    }
    let displayed = try entries().map { $0.drop { $0 != ":" }.dropFirst(2) }
    let values = try entries("--raw")
    guard displayed.count == values.count else {
      throw CommandError(.failure, "the history of gpaste has changed meanwhile; try again")
    }
    return zip(displayed, values).compactMap { displayed, value in
      if value.isEmpty { return nil }
      if displayed == value { return .text(String(value)) }
      if displayed.hasPrefix("[Image"), let bytes = try? InputFile(path: String(value)).bytes() {
        return DragItem([.init(.png, .data(bytes))])
      }
      return nil
    }
  }

  private func copyqItems() throws(CommandError) -> [DragItem] {
    let words = String(decoding: try output("copyq", ["count"]), as: UTF8.self)
    var items: [DragItem] = []
    for index in 0..<(Int(words.filter(\.isNumber)) ?? 0) {
      let formats = String(decoding: try output("copyq", ["read", "?", "\(index)"]), as: UTF8.self)
      var representations: [DragItem.Representation] = []
      for format in formats.split(separator: "\n").map(String.init) {
        guard let type = Self.type(of: format),
          !representations.contains(where: { $0.type == type })
        else { continue }
        let bytes = try output("copyq", ["read", format, "\(index)"])
        guard !format.hasPrefix("text/") || String(validating: bytes, as: UTF8.self) != nil else {
          continue
        }
        representations.append(.init(type, .data(bytes)))
      }
      if !representations.isEmpty { items.append(DragItem(representations)) }
    }
    return items
  }

  /// Returns the type of a format of CopyQ; nil for CopyQ's own formats and for names that are not
  /// types.
  private static func type(of format: String) -> ContentType? {
    if format == "text/plain" || format == ContentType.plainText.rawValue { return .plainText }
    let isType = format.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9.+_-]*\/[A-Za-z0-9][A-Za-z0-9.+_-]*/)
    return isType == nil || format.hasPrefix("application/x-copyq") ? nil : ContentType(format)
  }

  private func output(_ name: String, _ arguments: [String]) throws(CommandError) -> [UInt8] {
    guard let path = Program.onPath(name) else {
      throw CommandError(.notFound, "\(name) is not installed")
    }
    let result: (status: Int32, output: [UInt8])
    do throws(Failure) {
      result = try Subprocess.output(of: path, arguments, errors: .inherited)
    } catch { throw CommandError(.failure, error.description) }
    guard result.status == 0 else {
      throw CommandError(.failure, "\(name) exited with status \(result.status)")
    }
    return result.output
  }
}
