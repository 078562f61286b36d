import DragModel
import Foundation
import TestSupport
import Testing
import Text

/// Compares the parser of `.flatpak-info` with GLib's parser on random files.
@Suite("Key files, compared with GLib")
struct FlatpakInfoFuzzTests {
  /// The number of files; `DRAGBOARD_TEST_KEY_FILES=1000000` selects the long form.
  private static let count =
    ProcessInfo.processInfo.environment["DRAGBOARD_TEST_KEY_FILES"].flatMap { Int($0) } ?? 10_000
  private static let seed =
    ProcessInfo.processInfo.environment["DRAGBOARD_TEST_SEED"].flatMap { UInt64($0) } ?? 1

  /// A program that reads files, one on each line in hexadecimal.
  ///
  /// For each file it prints the name that GLib finds, in hexadecimal, or "-" if there is none.
  private static let reader = """
    import sys
    from gi.repository import GLib

    def name(data):
        file = GLib.KeyFile()
        try:
            file.load_from_bytes(GLib.Bytes.new(data), GLib.KeyFileFlags.NONE)
            group = "Application" if file.has_group("Application") else "Runtime"
            return file.get_string(group, "name").encode().hex()
        # The error's text can be invalid UTF-8, which PyGObject reports as a RuntimeError.
        except (GLib.Error, RuntimeError):
            return "-"

    for line in open(sys.argv[1]):
        print(name(bytes.fromhex(line)))
    """

  private static let lines: [[UInt8]] = [
    "[Application]\n", "[Runtime]\n", "[Environment]\n", "name=org.a.A\n", "name=org.b.B\n",
    "x=1\n",
    "x y = 2\n", "name[de]=org.d.D\n", "x[de_DE.UTF-8@euro]=3\n", "Encoding=UTF-8\n", "\n", "#\n",
  ].map { Array($0.utf8) }

  /// Parts of lines, and characters that only some parsers treat as line ends, as blanks or as
  /// letters.
  private static let pieces: [[UInt8]] =
    [
      "[Application]", "[Application", "[", "]", "name=org.c.C", "name", "=", "\n", "\r", "\r\n",
      " ",
      "\t", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}", "\u{A0}", "\u{301}", "\0", "#",
      "[de]",
      "x[é]=4\n", "Encoding=utf-8\n", "Encoding=Latin-1\n", "Encoding", "\\", "\\s", "\u{FEFF}",
      "\u{7F}", "\u{1}", "org.e.E", "é", ";",
    ].map { Array($0.utf8) } + [[0x80], [0xC2], [0xFF], [0xE2, 0x80]]

  private static func file(_ random: inout SplitMix64) -> [UInt8] {
    (0..<Int.random(in: 2...9, using: &random)).flatMap { _ in
      let parts = Int.random(in: 0..<4, using: &random) == 0 ? pieces : lines
      return parts.randomElement(using: &random) ?? []
    }
  }

  @Test("Every id is the id that GLib reads")
  func differential() throws {
    var random = SplitMix64(seed: Self.seed)
    let files = (0..<Self.count).map { _ in Self.file(&random) }
    var accepted = 0
    for (file, name) in zip(files, try namesByGLib(in: files)) {
      let theirs = name.flatMap { try? ApplicationID($0) }
      let ours = FlatpakInfo.applicationID(in: file)
      let text = String(decoding: file, as: UTF8.self).debugDescription
      #expect(ours == nil || ours == theirs, "\(text)")
      if file.allSatisfy({ (1..<0x80).contains($0) }) { #expect(ours == theirs, "\(text)") }
      if ours != nil { accepted += 1 }
    }
    #expect(accepted > Self.count / 50)
  }

  private func namesByGLib(in files: [[UInt8]]) throws -> [String?] {
    let list = FileManager.default.temporaryDirectory.appending(path: "key-files-\(UUID())")
    defer { try? FileManager.default.removeItem(at: list) }
    let lines = files.map { Hexadecimal.digits(of: $0) + "\n" }
    try Data(lines.joined().utf8).write(to: list)
    let result = try run("/usr/bin/python3", ["-B", "-c", Self.reader, list.path])
    #expect(result.status.isSuccess, "\(result.errors)")
    let names = result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(Self.text)
    try #require(names.count == files.count)
    return names
  }

  /// Decodes hexadecimal digits to a text; nil if the digits are malformed.
  private static func text(_ digits: Substring) -> String? {
    guard digits != "-" else { return nil }
    return Hexadecimal.bytes(of: digits).map { String(decoding: $0, as: UTF8.self) }
  }
}
