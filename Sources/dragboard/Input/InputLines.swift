/// The lines of a file, read a piece at a time, as far as the limits allow.
struct InputLines {
  /// Maximum amounts of a file of lines.
  struct Limits {
    /// Number of bytes in all.
    let byteCount: Int
    let lineByteCount: Int
    /// Number of lines.
    let count: Int

    /// Limits of lines that become rows: the edit is one message, whose array has at most 64 MiB.
    static let rows = Limits(byteCount: 64 << 20, lineByteCount: 64 << 20, count: 1_000_000)
    /// Limits of lines that name the rows and sections of a board.
    static let arrangement = Limits(byteCount: 256 << 20, lineByteCount: 1 << 20, count: 2_000_000)
  }

  private let file: InputFile
  private let limits: Limits

  init(of file: InputFile = .standard, _ limits: Limits) {
    self.file = file
    self.limits = limits
  }

  /// Calls `body` with each line, empty ones as well, and its number from 1 on.
  ///
  /// - Throws: `CommandError` if a limit is exceeded or the file is not UTF-8; `Failure`; what
  ///   `body` throws.
  func forEach(_ body: (Int, Substring) throws -> Void) throws {
    var (byteCount, number) = (0, 0)
    // The beginning of a line that goes on in the next piece.
    var beginning: [UInt8] = []
    func take(_ lines: [UInt8]) throws {
      guard let text = String(validating: lines, as: UTF8.self) else {
        throw CommandError(.usage, "\(file.name) is not UTF-8")
      }
      for line in text.lines {
        number += 1
        try check(line, number)
        try body(number, line)
      }
    }
    try file.forEachPiece { piece in
      byteCount += piece.count
      guard byteCount <= limits.byteCount else { throw tooLarge(limits.byteCount, "of lines") }
      let next = (piece.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
      if next > 0 {
        try take(beginning + piece[..<next])
        beginning.removeAll(keepingCapacity: true)
      }
      beginning += piece[next...]
      guard beginning.count <= limits.lineByteCount else {
        throw tooLarge(limits.lineByteCount, "in line \(number + 1)")
      }
      return true
    }
    try take(beginning)
  }

  private func check(_ line: Substring, _ number: Int) throws(CommandError) {
    guard line.utf8.count <= limits.lineByteCount else {
      throw tooLarge(limits.lineByteCount, "in line \(number)")
    }
    guard number <= limits.count else {
      throw CommandError(.refused, "\(file.name): too many lines (at most \(limits.count))")
    }
  }

  private func tooLarge(_ limit: Int, _ part: String) -> CommandError {
    .tooLarge(file.name, limit, " \(part)")
  }
}

extension String {
  /// The lines; an empty one after the last line break is none.
  fileprivate var lines: [Substring] {
    let lines = split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.last?.isEmpty == true ? lines.dropLast() : lines
  }
}
