internal import Text

/// The addresses of a `text/uri-list`, in order.
///
/// Source: RFC 2483, section 5.
public struct Addresses: Hashable, Sendable {
  /// The addresses as written.
  public let all: [String]

  /// Creates a list of addresses.
  public init(_ all: [String]) { self.all = all }

  /// Parses a list.
  ///
  /// Lines that begin with `#` are comments.
  public init(_ text: String) {
    all = text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }.map {
      Substring($0).trimmingSpaces()
    }
    .filter { !$0.isEmpty && !$0.hasPrefix("#") }
  }

  /// Joins several lists.
  public init(joining lists: [Addresses]) { all = lists.flatMap(\.all) }

  /// The list as `text/uri-list`.
  public var text: String { all.map { $0 + "\r\n" }.joined() }

  /// Parses a link of Firefox, `text/x-moz-url`: an address and a title in two lines of UTF-16.
  ///
  /// - Returns: the address, and the title or ""; nil if the bytes are not such a link.
  public static func link(inMozilla bytes: [UInt8]) -> (address: String, title: String)? {
    let units = stride(from: 0, to: bytes.count - bytes.count % 2, by: 2).map {
      UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
    }
    let lines = String(decoding: units, as: UTF16.self).split { $0.isNewline || $0 == "\u{feff}" }
    guard let address = lines.first, address.contains(":") else { return nil }
    return (String(address), lines.dropFirst().first.map(String.init) ?? "")
  }

  /// Returns a readable name of an address: a file's name, or a link without its scheme.
  ///
  /// Scalars that can deceive the user are replaced.
  public static func name(of address: String) -> String { ShownText.line(wholeName(of: address)) }

  /// Returns the last part of the path of an address, decoded; "" if the path is empty.
  ///
  /// It is not trustworthy.
  public static func fileName(of address: String) -> String {
    guard let scheme = address.firstRange(of: "://") else { return "" }
    let path = address[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    return parts.last.map { unescaped(String($0)) } ?? ""
  }

  /// Whether there are addresses and each is the address of a file on this machine.
  public var areFiles: Bool { !all.isEmpty && all.allSatisfy { Self.path(of: $0) != nil } }

  private static func wholeName(of address: String) -> String {
    guard let scheme = address.firstRange(of: "://") else { return address }
    let rest = address[scheme.upperBound...]
    guard address.hasPrefix("file://") else { return String(rest) }
    let name = rest.split(separator: "/").last.map { unescaped(String($0)) }
    return name.flatMap { $0.isEmpty ? nil : $0 } ?? "/"
  }

  /// Returns the path of a file on this machine; nil for any other address.
  public static func path(of address: String) -> String? { path(of: address, onHost: "") }

  /// Returns the path of a file on this machine; nil for any other address.
  ///
  /// - Parameters:
  ///   - address: the address, which may contain the name of this machine.
  ///   - host: the name of this machine.
  /// - Returns: the path.
  public static func path(of address: String, onHost host: String) -> String? {
    pathBytes(of: address, onHost: host).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the path of a file on this machine as the system stores it, which need not be UTF-8; nil
  /// for any other address.
  ///
  /// - Parameters:
  ///   - address: the address, which may contain the name of this machine.
  ///   - host: the name of this machine.
  /// - Returns: the bytes of the path.
  public static func pathBytes(of address: String, onHost host: String = "") -> [UInt8]? {
    guard address.hasPrefix("file://") else { return nil }
    let rest = address.dropFirst("file://".count)
    guard let slash = rest.firstIndex(of: "/"),
      ["", "localhost", host[...]].contains(rest[..<slash])
    else {
      return nil
    }
    let path = unescapedBytes(of: String(rest[slash...]))
    // A path in the system ends at its first zero byte, so this would be the path of another file.
    return path.contains(0) ? nil : path
  }

  /// Returns the path of a file on this machine; for another address, or for a path that is not
  /// UTF-8, returns the address.
  public static func pathOrAddress(_ address: String) -> String {
    pathBytes(of: address).flatMap { String(validating: $0, as: UTF8.self) } ?? address
  }

  /// Decodes percent-encoding: `%41` becomes `A`.
  static func unescaped(_ text: String) -> String {
    String(decoding: unescapedBytes(of: text), as: UTF8.self)
  }

  private static func unescapedBytes(of text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let high = Hexadecimal.value(of: rest[rest.startIndex]),
        let low = Hexadecimal.value(of: rest[rest.startIndex + 1])
      {
        rest = rest.dropFirst(2)
        bytes.append(high << 4 | low)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}

extension Substring {
  fileprivate func trimmingSpaces() -> String {
    String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
