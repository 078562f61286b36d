/// A reader of a file's lines, with limits for their size and number.
struct InputLines {
  /// The limits of a file of lines.
  struct Limits {
    /// The maximum number of bytes of all lines.
    let byteCount: Int
    /// The maximum number of bytes of a line.
    let lineByteCount: Int
    /// The maximum number of lines.
    let count: Int

    /// The limits for lines that become rows.
    ///
    /// They are sent in one message, whose array has at most 64 MiB.
    static let rows = Limits(byteCount: 64 << 20, lineByteCount: 64 << 20, count: 1_000_000)
    /// The limits for lines that name the rows and sections of a board.
    static let arrangement = Limits(byteCount: 256 << 20, lineByteCount: 1 << 20, count: 2_000_000)
  }

  private let file: InputFile
  private let limits: Limits

  init(of file: InputFile = .standard, _ limits: Limits) {
    self.file = file
    self.limits = limits
  }

  /// Calls `body` with the number of each line, counted from 1, and the line, which can be empty.
  ///
  /// - Throws: `CommandError` if a limit is exceeded or the file is not UTF-8; `Failure` if the
  ///   file cannot be read; the errors of `body`.
  func forEach(_ body: (Int, Substring) throws -> Void) throws {
    var (byteCount, number) = (0, 0)
    // The beginning of a line that continues in the next chunk.
    var beginning: [UInt8] = []
    func take(_ lines: [UInt8]) throws {
      guard let text = String(validating: lines, as: UTF8.self) else {
        throw CommandError(.usage, "\(file.name): is not UTF-8")
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
  /// The lines, without the empty line after the last line break.
  fileprivate var lines: [Substring] {
    let lines = split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.last?.isEmpty == true ? lines.dropLast() : lines
  }
}
