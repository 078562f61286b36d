import ArgumentParser
import DragboardClient
import Files
import Text

/// A clipboard manager with a program that prints its history.
enum ClipboardManager: String, CaseIterable, ExpressibleByArgument {
  case gpaste, copyq

  /// An entry of a history.
  struct Entry {
    let item: DragItem
    var isPinned = false
  }

  /// Returns the entries, the latest first.
  ///
  /// - Throws: `CommandError` with the message of the program.
  func entries() throws(CommandError) -> [Entry] {
    switch self {
    case .gpaste: try gpasteEntries()
    case .copyq: try copyqEntries()
    }
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
      throw CommandError(
        .failure, "\(name) exited with status \(result.status)",
        remedy: "Check that the clipboard manager runs.")
    }
    return result.output
  }
}

// MARK: GPaste

extension ClipboardManager {
  /// Reads the entries of GPaste.
  ///
  /// The raw value of a picture is its path, the raw value of files is their URIs, and the raw value
  /// of a password is asterisks. An entry is a text if its displayed text and its raw value are
  /// equal.
  private func gpasteEntries() throws(CommandError) -> [Entry] {
    func values(_ options: String...) throws(CommandError) -> [Substring] {
      String(decoding: try output("gpaste-client", ["history", "--zero"] + options), as: UTF8.self)
        .split(separator: "\0", omittingEmptySubsequences: false)
    }
    let displayed = try values().map { $0.drop { $0 != ":" }.dropFirst(2) }
    let raw = try values("--raw")
    guard displayed.count == raw.count else {
      throw CommandError(.failure, "the history of gpaste has changed meanwhile; try again")
    }
    return zip(displayed, raw).compactMap { displayed, value in
      Self.gpasteItem(displayed, value).map { Entry(item: $0) }
    }
  }

  private static func gpasteItem(_ displayed: Substring, _ value: Substring) -> DragItem? {
    if value.isEmpty { return nil }
    if displayed == value { return .text(String(value)) }
    if displayed.hasPrefix("[Files]") { return item(ofFiles: value) }
    if displayed.hasPrefix("[Image"), let bytes = try? InputFile(path: String(value)).bytes() {
      return DragItem([.init(.png, .data(bytes))])
    }
    return nil
  }

  /// Returns an item with the URIs on the lines, and escapes the bytes that a URI may not contain.
  private static func item(ofFiles lines: Substring) -> DragItem {
    let uris = lines.split(separator: "\n").map { line in
      line.utf8.map { byte in
        let isValid = 0x21...0x7E ~= byte
        return isValid
          ? String(UnicodeScalar(byte))
          : "%" + Hexadecimal.digits(of: [byte], isUppercase: true)
      }.joined() + "\r\n"
    }
    return DragItem([.init(.uriList, .data(Array(uris.joined().utf8)))])
  }
}

// MARK: CopyQ

extension ClipboardManager {
  /// Prints each type of an entry as a line `TYPE COUNT` and its bytes, and an empty line at the
  /// end of the entry.
  ///
  /// One call reads all entries. With several calls, a new copy could shift the indexes of the
  /// entries.
  private static let copyqScript = """
    for (var i = 0; i < size(); ++i) {
      var item = getItem(i);
      for (var type in item) {
        print(type + " " + item[type].size() + "\\n");
        print(item[type]);
      }
      print("\\n");
    }
    """

  private func copyqEntries() throws(CommandError) -> [Entry] {
    var rest = try output("copyq", ["eval", "--", Self.copyqScript])[...]
    var entries: [Entry] = []
    var representations: [DragItem.Representation] = []
    var isPinned = false
    var isSecret = false
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: rest[..<end], as: UTF8.self)
      rest = rest[(end + 1)...]
      guard !line.isEmpty else {
        if !representations.isEmpty, !isSecret {
          entries.append(Entry(item: DragItem(representations), isPinned: isPinned))
        }
        (representations, isPinned, isSecret) = ([], false, false)
        continue
      }
      guard let space = line.lastIndex(of: " "), let count = Int(line[space...].dropFirst()),
        0...rest.count ~= count
      else { throw CommandError(.failure, "copyq printed an unreadable history") }
      let bytes = Array(rest.prefix(count))
      rest = rest.dropFirst(count)
      let name = String(line[..<space])
      isPinned = isPinned || name == "application/x-copyq-item-pinned"
      isSecret = isSecret || SecretMark.marks(name)
      guard let type = Self.type(of: name), !representations.contains(where: { $0.type == type }),
        !name.hasPrefix("text/") || String(validating: bytes, as: UTF8.self) != nil
      else { continue }
      representations.append(.init(type, .data(bytes)))
    }
    return entries
  }

  /// Returns the type of a format of CopyQ; nil for CopyQ's own formats and for names that are not
  /// types.
  private static func type(of format: String) -> ContentType? {
    if format == "text/plain" || format == ContentType.plainText.rawValue { return .plainText }
    let isType = format.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9.+_-]*\/[A-Za-z0-9][A-Za-z0-9.+_-]*/)
    return isType == nil || format.hasPrefix("application/x-copyq") ? nil : ContentType(format)
  }
}
