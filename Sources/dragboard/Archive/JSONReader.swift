/// A reader of a JSON text of a known structure.
///
/// It reads the text from a file, value by value.
///
/// The text is not trusted, and is never completely in memory. An unexpected value is an error. The
/// reader never skips a value, because skipping nested values requires a recursion whose depth the
/// text determines.
///
/// Source: RFC 8259.
struct JSONReader {
  private static let maxStringByteCount = 1 << 16

  private let file: SpoolFile
  private let name: String
  private var piece: [UInt8] = []
  private var position = 0
  private var line = 1
  /// The offset of the current chunk in the file.
  private var start = 0

  /// - Parameters:
  ///   - file: the text.
  ///   - name: the name of the text in messages.
  init(_ file: SpoolFile, name: String) { (self.file, self.name) = (file, name) }

  /// The number of bytes that were read.
  var offset: Int { start + position }

  /// Returns an error for the current line.
  func error(_ words: String) -> CommandError {
    CommandError(.usage, "\(name): line \(line): \(words)")
  }

  // MARK: Values

  /// Reads an object that has the given members, in any order, and no others.
  ///
  /// If `isComplete` is true, none of them may be missing.
  mutating func object(
    _ members: Set<String>, isComplete: Bool = true,
    _ body: (inout JSONReader, String) throws -> Void
  ) throws {
    try expect("{")
    var missing = members
    repeat {
      let key = try memberName()
      guard members.contains(key) else {
        throw error("'\(key)' is unknown (expected \(members.sorted().joined(separator: ", ")))")
      }
      guard missing.remove(key) != nil else { throw error("'\(key)' occurs twice") }
      try body(&self, key)
    } while try takes(",")
    try expect("}")
    if isComplete, let name = missing.min() { throw error("'\(name)' is missing") }
  }

  /// Reads the name of a member and the colon.
  mutating func memberName() throws -> String {
    let name = try string("the name of a member")
    try expect(":")
    return name
  }

  /// Reads an array with at most `limit` elements.
  mutating func array<Element>(
    _ what: String, max limit: Int, _ element: (inout JSONReader) throws -> Element
  ) throws -> [Element] {
    guard try takes("[") else { throw error("\(what): an array is expected") }
    var elements: [Element] = []
    if try takes("]") { return elements }
    repeat {
      guard elements.count < limit else { throw error("\(what): too many (at most \(limit))") }
      elements.append(try element(&self))
    } while try takes(",")
    try expect("]")
    return elements
  }

  /// Reads true or false.
  mutating func boolean(_ what: String) throws -> Bool {
    switch try word() {
    case "true": return true
    case "false": return false
    default: throw error("\(what): true or false is expected")
    }
  }

  /// Reads an integer that is not negative.
  mutating func integer(_ what: String) throws -> Int {
    let text = try word()
    guard let number = Int(text), number >= 0, text == "\(number)" else {
      throw error("\(what): an integer is expected (0…\(Int.max))")
    }
    return number
  }

  /// Reads an integer that is not negative, or null.
  mutating func optionalInteger(_ what: String) throws -> Int? {
    guard try peek() == UInt8(ascii: "n") else { return try integer(what) }
    guard try word() == "null" else { throw error("\(what): null is expected") }
    return nil
  }

  /// Reads a string.
  mutating func string(_ what: String) throws -> String {
    guard try takes("\"") else { throw error("\(what): a string is expected") }
    var bytes: [UInt8] = []
    while true {
      switch try take() {
      case UInt8(ascii: "\""):
        guard let text = String(validating: bytes, as: UTF8.self) else {
          throw error("\(what): not UTF-8")
        }
        return text
      case UInt8(ascii: "\\"): bytes.append(contentsOf: try escaped().utf8)
      case 0..<0x20: throw error("\(what): a control character in a string")
      case let byte: bytes.append(byte)
      }
      guard bytes.count <= Self.maxStringByteCount else { throw error("\(what): too long") }
    }
  }

  /// Reads a punctuation character if it is next; returns whether it is.
  mutating func takes(_ sign: Unicode.Scalar) throws -> Bool {
    guard try peek() == UInt8(ascii: sign) else { return false }
    position += 1
    return true
  }

  /// Reads a punctuation character.
  mutating func expect(_ sign: Unicode.Scalar) throws {
    guard try takes(sign) else { throw error("'\(sign)' is expected") }
  }

  /// Checks that the text ends.
  mutating func expectEnd() throws {
    guard try peek() == nil else { throw error("the end of the file is expected") }
  }

  // MARK: Parts of values

  private mutating func escaped() throws -> String {
    let byte = try take()
    switch Unicode.Scalar(byte) {
    case "\"", "\\", "/": return String(Unicode.Scalar(byte))
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u": return try unicode()
    default: throw error("an unknown escape in a string")
    }
  }

  private mutating func unicode() throws -> String {
    let first = try unit()
    var units = [first]
    if UTF16.isLeadSurrogate(first) {
      guard try take() == UInt8(ascii: "\\"), try take() == UInt8(ascii: "u") else {
        throw error("half a surrogate pair in a string")
      }
      units.append(try unit())
    }
    // U+0000 is refused: no text of a board contains it, because strings of D-Bus cannot.
    guard first != 0, let text = String(validating: units, as: UTF16.self) else {
      throw error("an invalid escape in a string")
    }
    return text
  }

  private mutating func unit() throws -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = Character(Unicode.Scalar(try take())).hexDigitValue else {
        throw error("an invalid escape in a string")
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  /// Reads a word of letters, digits and `+-.`.
  private mutating func word() throws -> String {
    var word = ""
    _ = try peek()
    while let byte = try byte(), word.utf8.count < 32 {
      let scalar = Unicode.Scalar(byte)
      guard scalar.properties.isAlphabetic || "0123456789+-.".unicodeScalars.contains(scalar) else {
        break
      }
      word.unicodeScalars.append(scalar)
      position += 1
    }
    return word
  }

  private mutating func take() throws -> UInt8 {
    guard let byte = try byte() else { throw error("the text is incomplete") }
    position += 1
    return byte
  }

  /// Returns the next byte that is not white space, without reading past it; nil at the end.
  private mutating func peek() throws -> UInt8? {
    while let byte = try byte() {
      switch Unicode.Scalar(byte) {
      case "\n": line += 1
      case " ", "\t", "\r": break
      default: return byte
      }
      position += 1
    }
    return nil
  }

  /// Returns the next byte, and does not consume it; nil at the end.
  private mutating func byte() throws(Failure) -> UInt8? {
    if position == piece.count {
      start += piece.count
      position = 0
      piece = try file.read(1 << 16, at: start)
    }
    return piece.isEmpty ? nil : piece[position]
  }
}
