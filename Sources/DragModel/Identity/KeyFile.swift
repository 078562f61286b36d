/// A key file as GLib reads it: groups of `key=value` lines.
///
/// The type reads bytes and not characters, because a `Character` can combine a line feed or a
/// bracket with its neighbours. Lines end only at line feeds. The type refuses a file that GLib
/// refuses. It also refuses a few files that GLib accepts but that no program writes: a file with a
/// zero byte, with bytes other than blanks after a group's `]`, or with a non-ASCII locale.
///
/// Source: `gkeyfile.c` of GLib 2.74.
struct KeyFile {
  /// A part of the file.
  typealias Bytes = ArraySlice<UInt8>

  private var groups: [Bytes: [Bytes: Bytes]] = [:]
  private var firstGroup: Bytes?
  private var currentGroup: Bytes?

  /// Reads a file; returns nil if it is not a key file.
  init?(_ bytes: [UInt8]) {
    guard !bytes.contains(0) else { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for line in lines.dropLast() {
      // A carriage return before a line feed belongs to the end of the line. At the end of the file
      // it belongs to the line.
      guard read(line.last == UInt8(ascii: "\r") ? line.dropLast() : line) else { return nil }
    }
    guard read(lines.last ?? []) else { return nil }
  }

  /// Returns whether the file has a group.
  func hasGroup(_ name: String) -> Bool { groups[Bytes(name.utf8)] != nil }

  /// Returns the last value of a key, with its escapes.
  func value(of key: String, in group: String) -> Bytes? {
    groups[Bytes(group.utf8)]?[Bytes(key.utf8)]
  }

  // MARK: Lines

  /// Parses a line; returns false if it is not valid in a key file.
  private mutating func read(_ line: Bytes) -> Bool {
    let line = line.drop(while: Self.isSpace)
    guard let first = line.first, first != UInt8(ascii: "#") else { return true }
    if first == UInt8(ascii: "["), let end = line.firstIndex(of: UInt8(ascii: "]")),
      line[end...].dropFirst().allSatisfy(Self.isBlank)
    {
      return openGroup(line[..<end].dropFirst())
    }
    guard let mark = line.firstIndex(of: UInt8(ascii: "=")),
      let keyEnd = line[..<mark].lastIndex(where: { !Self.isSpace($0) })
    else { return false }
    return add(line[...keyEnd], line[mark...].dropFirst())
  }

  /// Opens a group; returns false if the name is not valid.
  ///
  /// A repeated group continues the first group with this name.
  private mutating func openGroup(_ name: Bytes) -> Bool {
    guard !name.isEmpty, !name.contains(where: { $0 == UInt8(ascii: "[") || Self.isControl($0) })
    else { return false }
    firstGroup = firstGroup ?? name
    currentGroup = name
    if groups[name] == nil { groups[name] = [:] }
    return true
  }

  /// Adds a key; returns false outside of a group and for an invalid key.
  private mutating func add(_ key: Bytes, _ value: Bytes) -> Bool {
    guard let currentGroup, Self.isKey(key) else { return false }
    let value = value.drop(while: Self.isSpace)
    if currentGroup == firstGroup, key.elementsEqual("Encoding".utf8), !Self.isUTF8(value) {
      return false
    }
    groups[currentGroup]?[key] = value
    return true
  }

  // MARK: Bytes

  /// Returns whether a key, without blanks around it, is `NAME` or `NAME[LOCALE]`.
  private static func isKey(_ key: Bytes) -> Bool {
    let name = key.prefix { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") }
    guard let last = name.last, last != UInt8(ascii: " ") else { return false }
    let locale = key[name.endIndex...]
    guard !locale.isEmpty else { return true }
    return locale.count > 1 && locale.first == UInt8(ascii: "[")
      && locale.last == UInt8(ascii: "]") && locale.dropFirst().dropLast().allSatisfy(isLocaleByte)
  }

  private static func isLocaleByte(_ byte: UInt8) -> Bool {
    switch UnicodeScalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "@": true
    default: false
    }
  }

  /// Returns whether the name of an encoding is "UTF-8", in any case.
  private static func isUTF8(_ name: Bytes) -> Bool {
    name.count == 5 && String(decoding: name, as: UTF8.self).uppercased() == "UTF-8"
  }

  /// Returns the result of `g_ascii_isspace`: unlike isspace(3), it excludes the vertical tab.
  private static func isSpace(_ byte: UInt8) -> Bool {
    byte != 0x0B && (0x09...0x0D).contains(byte) || byte == UInt8(ascii: " ")
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }
}
