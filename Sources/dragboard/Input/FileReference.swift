import DragboardClient
import Glibc
import Text

/// A reference to a file or a directory: its URI, and its path as text.
struct FileReference {
  private let path: String
  private let bytes: [UInt8]

  /// Creates a reference to an existing file.
  ///
  /// - Throws: `CommandError` if the file does not exist.
  init(_ path: String) throws(CommandError) {
    guard let real = NativeArguments.withBytes(of: path, { realpath($0, nil) }) else {
      throw .cannotOpen(path)
    }
    defer { free(real) }
    bytes = UnsafeBufferPointer(start: real, count: strlen(real)).map { UInt8(bitPattern: $0) }
    self.path = String(decoding: bytes, as: UTF8.self)
  }

  func item(visibility: Visibility = .all) -> DragItem {
    DragItem(
      [
        .init(.uriList, visibility: visibility, .data(Array("\(uri)\r\n".utf8))),
        .init(.plainText, visibility: visibility, .data(Array(path.utf8))),
      ])
  }

  /// Source: RFC 8089, RFC 3986.
  private var uri: String {
    let escaped = bytes.map { byte in
      Self.isUnreserved(byte)
        ? String(UnicodeScalar(byte)) : "%" + Hexadecimal.digits(of: [byte], isUppercase: true)
    }
    return "file://" + escaped.joined()
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch UnicodeScalar(byte) {
    case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~", "/": true
    default: false
    }
  }
}
