import BoardModel
import DragModel

private enum Code: UInt8 {
  case insert = 1
  case move = 2
  case delete = 3
  case setFlags = 4
  case setName = 5
  case setContents = 6
  case insertSection = 7
  case renameSection = 8
  case moveSection = 9
  case deleteSection = 10
  case setStack = 11
}

/// The limits of values that the daemon accepts.
private enum Bounds {
  static let labelBytes = 4 * Label.maxLength
  static let nameBytes = 4 * Name.maxScalars
  static let representations = 256
}

extension ByteWriter {
  /// Writes an edit.
  public mutating func write(_ edit: SharedEdit) {
    switch edit {
    case .insert(let key, let row, let place):
      write(.insert, key)
      write(row)
      write(place)
    case .move(let key, let place):
      write(.move, key)
      write(place)
    case .delete(let key): write(.delete, key)
    case .setFlags(let key, let flags, let changing):
      write(.setFlags, key)
      write(byte: flags.rawValue)
      write(byte: changing.rawValue)
    case .setName(let key, let name):
      write(.setName, key)
      write(name)
    case .setStack(let key, let stack):
      write(.setStack, key)
      write(stack)
    case .setContents(let key, let contents):
      write(.setContents, key)
      write(contents)
    case .insertSection(let key, let name, let after):
      write(.insertSection, key)
      write(name)
      write(after)
    case .renameSection(let key, let name):
      write(.renameSection, key)
      write(name)
    case .moveSection(let key, let after):
      write(.moveSection, key)
      write(after)
    case .deleteSection(let key): write(.deleteSection, key)
    }
  }

  private mutating func write<Subject>(_ code: Code, _ key: Key<Subject>) {
    write(byte: code.rawValue)
    write(key)
  }

  private mutating func write(_ place: SharedEdit.Place) {
    write(place.section)
    write(place.after)
    write(place.before)
  }

  /// Writes a row.
  mutating func write(_ row: SharedRow) {
    write(byte: row.flags.rawValue)
    write(row.name)
    write(row.modified.map { $0 &+ 1 } ?? 0)
    write(row.application)
    write(row.stack)
    write(row.created)
    write(row.representations)
  }

  private mutating func write(_ contents: [SharedRow.Representation]) {
    write(contents.count)
    for content in contents {
      write(content.type)
      switch content.content {
      case .inline(let bytes):
        write(byte: 0)
        write(bytes)
      case .stored(let hash, let byteCount):
        write(byte: 1)
        write(fixed: hash.bytes)
        write(byteCount)
      }
    }
  }
}

extension ByteReader {
  /// Reads an edit whose values the daemon accepts.
  public mutating func readEdit() throws(EncodingDamage) -> SharedEdit {
    guard let code = Code(rawValue: try readByte()) else { throw .invalid }
    switch code {
    case .insert: return .insert(try readKey(), try readRow(), at: try readPlace())
    case .move: return .move(try readKey(), to: try readPlace())
    case .delete: return .delete(try readKey())
    case .setFlags:
      return .setFlags(try readKey(), try readFlags(), changing: try readFlags())
    case .setName: return .setName(try readKey(), try readLabel())
    case .setStack: return .setStack(try readKey(), try readLabel())
    case .setContents: return .setContents(try readKey(), try readContents())
    case .insertSection:
      return .insertSection(try readKey(), try readName(), after: try readOptionalKey())
    case .renameSection: return .renameSection(try readKey(), try readName())
    case .moveSection: return .moveSection(try readKey(), after: try readOptionalKey())
    case .deleteSection: return .deleteSection(try readKey())
    }
  }

  private mutating func readPlace() throws(EncodingDamage) -> SharedEdit.Place {
    SharedEdit.Place(
      in: try readKey(), after: try readOptionalKey(), before: try readOptionalKey())
  }

  private mutating func readFlags() throws(EncodingDamage) -> RowFlags {
    let flags = RowFlags(rawValue: try readByte())
    guard RowFlags.all.isSuperset(of: flags) else { throw .invalid }
    return flags
  }

  private mutating func readName() throws(EncodingDamage) -> String {
    let text = try readText(max: Bounds.nameBytes)
    guard (try? Name(text)) != nil else { throw .invalid }
    return text
  }

  private mutating func readLabel() throws(EncodingDamage) -> String {
    let text = try readText(max: Bounds.labelBytes)
    guard (try? Label(text)) != nil else { throw .invalid }
    return text
  }

  mutating func readRow() throws(EncodingDamage) -> SharedRow {
    let (flags, name, modified) = (try readFlags(), try readLabel(), try readNumber())
    return SharedRow(
      flags: flags, name: name, modified: modified == 0 ? nil : modified - 1,
      application: try readLabel(), stack: try readLabel(), created: try readNumber(),
      representations: try readContents())
  }

  /// Reads a row that this program has written, without the checks of `readRow`.
  mutating func readKnownRow() throws(EncodingDamage) -> SharedRow {
    let flags = RowFlags(rawValue: try readByte())
    let (name, modified) = (try readText(max: .max), try readNumber())
    var row = SharedRow(
      flags: flags, name: name, modified: modified == 0 ? nil : modified - 1,
      application: try readText(max: .max), stack: try readText(max: .max),
      created: try readNumber(), representations: [])
    let count = try readCount()
    row.representations.reserveCapacity(count)
    for _ in 0..<count {
      let type = try readText(max: .max)
      row.representations.append(.init(type: type, content: try readContent(ofText: false)))
    }
    return row
  }

  private mutating func readContents() throws(EncodingDamage) -> [SharedRow.Representation] {
    let count = try readCount(ofSize: 3)
    guard 1...Bounds.representations ~= count else { throw .invalid }
    var contents: [SharedRow.Representation] = []
    var types: Set<String> = []
    for _ in 0..<count {
      let text = try readText(max: MIMEType.maxLength)
      guard let type = try? MIMEType(parsing: text), type.mime == text,
        types.insert(text).inserted
      else { throw .invalid }
      contents.append(.init(type: text, content: try readContent(ofText: type.isPlainText)))
    }
    return contents
  }

  private mutating func readContent(ofText isText: Bool) throws(EncodingDamage) -> SharedContent {
    switch try readByte() {
    case 0:
      let bytes = try readData()
      guard bytes.count <= SharedContent.maxInlineBytes,
        !isText || String(validating: bytes, as: UTF8.self) != nil
      else { throw .invalid }
      return .inline(bytes)
    case 1:
      guard let hash = ContentHash(bytes: try read(fixed: ContentHash.byteCount)) else {
        throw .invalid
      }
      return .stored(hash, byteCount: try readNumber())
    default: throw .invalid
    }
  }
}
