/// A writer of the binary encodings of the history: numbers in LEB128, names with their length
/// first, rows as their entries.
struct HistoryWriter {
  private(set) var bytes: [UInt8]

  init(version: UInt8) {
    bytes = []
    // Enough for an edit of one row.
    bytes.reserveCapacity(48)
    bytes.append(version)
  }

  mutating func write(_ code: some RawRepresentable<UInt8>, _ numbers: Int...) {
    bytes.append(code.rawValue)
    for number in numbers { write(number) }
  }

  mutating func write(_ code: some RawRepresentable<UInt8>, _ index: Int, _ name: String) {
    write(code, index, name.utf8.count)
    bytes.append(contentsOf: name.utf8)
  }

  mutating func write(
    _ code: some RawRepresentable<UInt8>, _ path: IndexPath, _ entries: [RowEntry]
  ) {
    write(code, path.section, path.row, entries.count)
    bytes.reserveCapacity(bytes.count + entries.count * 8)
    for entry in entries { write(entry) }
  }

  mutating func write(_ number: Int) {
    var rest = UInt64(truncatingIfNeeded: number)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func write(_ entry: RowEntry) {
    withUnsafeBytes(of: entry.rawValue.littleEndian) { bytes.append(contentsOf: $0) }
  }
}
