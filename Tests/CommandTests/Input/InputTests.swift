import DragboardClient
import Files
import Foundation
import Testing

@testable import dragboard

@Suite("Input that is read only once")
struct InputTests {
  @Test("At most one byte more than the limit is read from input that is not a regular file")
  func boundary() throws {
    for count in [0, 1, 8_192, 8_193, 20_000] {
      #expect(try content(of: count, atMost: 20_000) == count)
    }
    #expect(throws: CommandError.self) { try content(of: 20_001, atMost: 20_000) }
  }

  @Test("Lines are read only up to their limits")
  func lines() throws {
    let limits = InputLines.Limits(byteCount: 20, lineByteCount: 8, count: 4)
    #expect(try lines("12345678\n\nb\r\nc", limits) == ["12345678", "", "b", "c"])
    #expect(try lines("1234567\n1234567\n123\n", limits) == ["1234567", "1234567", "123"])
    #expect(try lines("", limits) == [])
    for text in [
      "123456789\n", "123456789", "1\n2\n3\n4\n5", "\n\n\n\n\n", "1234567\n1234567\n1234\n",
    ] {
      #expect(throws: CommandError.self, "\(text.debugDescription)") { try lines(text, limits) }
    }
  }

  /// Reads `count` bytes from a pipe; returns the number of bytes of the resulting content.
  private func content(of count: Int, atMost limit: Int) throws -> Int {
    switch try Input(pipe(Data(count: count)), SizeLimit(limit)) {
    case .bytes(let bytes): bytes.count
    case .file(let file): try file.byteCount
    }
  }

  private func lines(_ text: String, _ limits: InputLines.Limits) throws -> [String] {
    var lines: [String] = []
    try InputLines(of: pipe(Data(text.utf8)), limits).forEach { number, line in
      lines.append(String(line))
      #expect(number == lines.count)
    }
    return lines
  }

  /// Returns a pipe that contains these bytes.
  private func pipe(_ data: Data) throws -> InputFile {
    let (reading, writing) = try FileDescriptor.makePipe()
    return try withExtendedLifetime((reading, writing)) {
      try FileHandle(fileDescriptor: writing.number).write(contentsOf: data)
      let copy = fcntl(reading.number, F_DUPFD_CLOEXEC, 0)
      return InputFile(copy, name: "the pipe", isOwned: true)
    }
  }
}
