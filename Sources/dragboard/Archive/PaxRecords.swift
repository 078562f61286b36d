/// The pax records of a member: values that do not fit into its header.
///
/// Source: IEEE Std 1003.1, pax, "pax Extended Header".
struct PaxRecords: Equatable {
  /// The maximum number of bytes of all records.
  static let maxByteCount = 1 << 16
  /// The path; nil to use the header.
  var path: String?
  /// The number of bytes of the content; nil to use the header.
  var byteCount: Int?
  /// The modification time; nil to use the header.
  ///
  /// It is written, but not read.
  var modified: Duration?

  init() {}

  /// Parses records.
  ///
  /// Ignores records that a board does not need.
  ///
  /// - Throws: `TarHeader.Fault` if a record is damaged.
  init(_ bytes: [UInt8]) throws(TarHeader.Fault) {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let space = rest.prefix(8).firstIndex(of: 0x20),
        let count = Int(String(decoding: rest[..<space], as: UTF8.self)),
        space - rest.startIndex + 1..<rest.count + 1 ~= count,
        rest[rest.startIndex + count - 1] == 0x0A
      else { throw TarHeader.Fault(words: "a pax record is damaged") }
      let record = rest[space...].dropFirst().prefix(rest.startIndex + count - 2 - space)
      try take(record)
      rest = rest.dropFirst(count)
    }
  }

  private mutating func take(_ record: ArraySlice<UInt8>) throws(TarHeader.Fault) {
    guard let text = String(validating: record, as: UTF8.self),
      let sign = text.utf8.firstIndex(of: UInt8(ascii: "="))
    else { return }
    let value = String(text[text.utf8.index(after: sign)...])
    switch text[..<sign] {
    case "path": path = value
    case "size":
      guard let count = Int(value), count >= 0, value.utf8.allSatisfy({ $0 != 0x2B }) else {
        throw TarHeader.Fault(words: "size: '\(value)' is not a number of bytes")
      }
      byteCount = count
    case let key where key.hasPrefix("GNU.sparse."):
      throw TarHeader.Fault(words: "a sparse file (make the archive without --sparse)")
    default: break
    }
  }

  /// The records as the content of a member; empty if there are none.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func put(_ key: String, _ value: String) {
      let record = " \(key)=\(value)\n"
      // The length of a record includes the digits of the length.
      var count = record.utf8.count
      while count != record.utf8.count + String(count).utf8.count {
        count = record.utf8.count + String(count).utf8.count
      }
      bytes += "\(count)\(record)".utf8
    }
    if let path { put("path", path) }
    if let byteCount { put("size", "\(byteCount)") }
    if let modified {
      let (seconds, attoseconds) = modified.components
      let fraction = String(1_000_000 + attoseconds / 1_000_000_000_000).dropFirst()
      put("mtime", "\(seconds).\(fraction)")
    }
    return bytes
  }
}
