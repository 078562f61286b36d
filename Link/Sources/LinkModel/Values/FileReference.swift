public import Files
internal import Glibc
internal import Text

/// The addresses of files in a `text/uri-list`.
///
/// They are paths of one machine. On the other machines, a row has this reference under a type of its
/// own, so that no program takes it for a file there.
public struct FileReference: Hashable, Sendable {
  /// The type of the list on the bus and in the daemon of the machine with the files.
  public static let listType = "text/uri-list"
  /// The type of the list on shared boards.
  public static let type = "application/vnd.dragboard.file-reference"
  /// The type in the daemon for a list that another machine calls `text/uri-list`.
  ///
  /// Only an earlier version or a forged edit does so.
  public static let foreignType = "application/vnd.dragboard.foreign-uri-list"
  /// The maximum number of bytes of a list.
  public static let maxBytes = 1 << 20

  /// The application of the shelf for drops from the desktop.
  ///
  /// For drags of rows, the shelf has another application, because other programs and machines may
  /// have inserted the rows.
  private static let droppingApplication = "org.dragboard.Shelf.Drop"

  /// Returns whether the user of this machine has chosen the files of a row with this source, so that
  /// they may be opened.
  ///
  /// A sandboxed program, which could name any file, has another source.
  public static func isOpenable(fromSource source: String) -> Bool {
    source.isEmpty || source == droppingApplication
  }

  /// The path of the only file; nil if there are several addresses, or if the file is not on this
  /// machine.
  public let path: [UInt8]?
  /// The names of the files and other addresses.
  private let names: [String]

  /// Parses a list; nil if it has no address of a file.
  public init?(_ list: [UInt8]) {
    let lines = list.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
      .filter { $0.first != UInt8(ascii: "#") && !$0.allSatisfy { $0 == UInt8(ascii: " ") } }
    guard lines.contains(where: Self.isFile) else { return nil }
    path = lines.count == 1 ? Self.localPath(of: lines[0]) : nil
    names = lines.map { Self.name(of: $0) }
  }

  /// The name of the only file; "" if there are several.
  public var name: String { names.count == 1 ? names[0] : "" }

  /// Opens the only file, which must be a regular file.
  ///
  /// - Returns: the file, open for reading; nil if there are several addresses, or if the file is not
  ///   on this machine.
  /// - Throws: `FileError`, also for a symbolic link, and for a pipe, which could stop the link.
  public func open() throws(FileError) -> FileDescriptor? {
    guard let path else { return nil }
    return try FileDescriptor(
      opening: path.map { CChar(bitPattern: $0) } + [0], path: name, O_RDONLY)
  }

  /// A line for each file, such as `report.pdf on laptop`.
  public func text(on machine: String) -> String {
    names.map { "\($0) on \(machine)" }.joined(separator: "\n")
  }

  /// Returns whether a type can only repeat the addresses: lists of file managers, and texts with
  /// paths.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - bytes: the bytes of a plain text; not used for other types.
  /// - Returns: whether other machines do not need the representation.
  public static func isRepeated(by type: String, _ bytes: [UInt8]) -> Bool {
    let base = type.prefix { $0 != ";" }
    if base == "text/plain" {
      return bytes.split(separator: UInt8(ascii: "\n")).allSatisfy {
        $0.first == UInt8(ascii: "/") || isFile($0)
      }
    }
    return [listType, "text/x-moz-url", "application/x-kde4-urilist"].contains(String(base))
      || base.hasPrefix("x-special/") || base.hasPrefix("application/vnd.portal.")
      || base.hasPrefix("text/x-moz-url-")
  }

  private static let scheme = Array("file:".utf8)

  private static func isFile(_ line: ArraySlice<UInt8>) -> Bool {
    line.prefix(scheme.count).map { $0 | 0x20 } == scheme.map { $0 | 0x20 }
  }

  /// The decoded path of an address; nil if it is not the address of a file of this machine.
  ///
  /// Source: RFC 8089.
  private static func localPath(of line: ArraySlice<UInt8>) -> [UInt8]? {
    guard isFile(line) else { return nil }
    var rest = line.dropFirst(scheme.count)
    if rest.starts(with: Array("//".utf8)) {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != UInt8(ascii: "/") }
      guard host.isEmpty || host.elementsEqual("localhost".utf8) else { return nil }
      rest = rest.dropFirst(host.count)
    }
    guard rest.first == UInt8(ascii: "/"), let path = decoded(rest), !path.contains(0) else {
      return nil
    }
    return path
  }

  /// Replaces escapes such as `%20`; nil if an escape is invalid.
  private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(Hexadecimal.value(of:)),
        let low = rest.popFirst().flatMap(Hexadecimal.value(of:))
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static let maxNameScalars = 200

  private static func name(of line: ArraySlice<UInt8>) -> String {
    let address = line.drop { $0 == UInt8(ascii: " ") }
    var path = address
    while path.last == UInt8(ascii: "/") { path = path.dropLast() }
    let start = path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex
    let last = path[start...]
    let bytes = isFile(address) ? decoded(last) ?? Array(last) : Array(address)
    return String(decoding: bytes, as: UTF8.self).harmlessLine(maxScalars: maxNameScalars)
  }
}

extension SharedRow {
  /// The reference to files of another machine; nil if the row has none.
  var reference: Representation? { representations.first { $0.type == FileReference.type } }
}
