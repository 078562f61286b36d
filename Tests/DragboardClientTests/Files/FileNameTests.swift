import DragboardClient
import TestSupport
import Testing

@Suite("File names that other programs suggest")
struct FileNameTests {
  @Test(
    "A suggested name becomes a visible name within the directory",
    arguments: [
      ("report.pdf", "report.pdf"), ("Ünïcode 日本語.txt", "Ünïcode 日本語.txt"),
      (".bash_profile", "_bash_profile"), ("-rf", "_rf"), (".", "_"), ("..", "_."),
      ("...x", "_..x"), ("/etc/passwd", "_etc_passwd"), ("a\\b", "a_b"), ("a\u{0}b\nc", "abc"),
      (" \u{200B}.profile \u{A0}", "_profile"), ("\u{202E}cod.exe\u{202C}", "cod.exe"),
      ("\u{61C}a\u{2066}b\u{2069}\u{85}\u{9B}\u{2028}", "ab"), ("x\u{FE0F}\u{3164}y", "xy"),
    ])
  func suggested(name: String, expected: String) {
    #expect(FileName(suggested: name)?.text == expected)
  }

  @Test(
    "If nothing of a name is left, the result is nil",
    arguments: ["", " \t\u{3000}", "\u{200F}\u{3164}\n", "\u{2800}"])
  func nothingLeft(name: String) {
    #expect(FileName(suggested: name) == nil)
    #expect(FileName(name).text == "_")
  }

  @Test(
    "A name that is too long keeps its extension, and is cut between characters",
    arguments: [
      (String(repeating: "a", count: 300) + ".png", String(repeating: "a", count: 251) + ".png"),
      (
        String(repeating: "é", count: 200) + ".tar.gz",
        String(repeating: "é", count: 124) + ".tar.gz"
      ),
      (String(repeating: "👍🏽", count: 40), String(repeating: "👍🏽", count: 31)),
      (
        "a" + String(repeating: "\u{301}", count: 200),
        "a" + String(repeating: "\u{301}", count: 127)
      ),
      ("a." + String(repeating: "b", count: 300), "a." + String(repeating: "b", count: 253)),
      (String(repeating: "a", count: 254) + " b", String(repeating: "a", count: 254)),
    ])
  func tooLong(name: String, expected: String) {
    #expect(FileName(suggested: name)?.text == expected)
  }

  @Test("A name of 255 bytes is kept, one of 256 is cut")
  func boundary() {
    let name = String(repeating: "a", count: 255)
    #expect(FileName(name).text == name)
    #expect(FileName(name + "a").text == name)
  }

  @Test(
    "The number is inserted before the extension, and the name does not exceed the limit",
    arguments: [
      ("report.pdf", "report-2.pdf"), ("project.tar.gz", "project-2.tar.gz"), ("name", "name-2"),
      (".env", "_env-2"), (".tar.gz", "_tar-2.gz"), ("Dr. No", "Dr. No-2"), ("a.", "a.-2"),
      (String(repeating: "a", count: 300) + ".png", String(repeating: "a", count: 249) + "-2.png"),
    ])
  func numbered(name: String, expected: String) {
    #expect(FileName(name).numbered(2).text == expected)
  }

  @Test(
    "No safe name is hidden, is in another directory, or deceives a reader", arguments: 0..<4)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let suggested = Self.text(&random)
      for name in [
        FileName(suggested), FileName(suggested).numbered(.random(in: 2...10_000, using: &random)),
      ] {
        let scalars = name.text.unicodeScalars
        try #require(1...255 ~= name.text.utf8.count, "\(suggested.debugDescription)")
        try #require(scalars.first != "." && scalars.first != "-", "\(suggested.debugDescription)")
        try #require(!scalars.contains(where: Self.isForbidden), "\(suggested.debugDescription)")
        try #require(FileName(suggested: name.text) == name, "\(suggested.debugDescription)")
        let all = Array(scalars)
        for index in all.indices where [0x200C, 0x200D].contains(all[index].value) {
          let hasNeighbours = index > 0 && index + 1 < all.count
          try #require(hasNeighbours && !all[index - 1].isASCII && !all[index + 1].isASCII)
        }
      }
    }
  }

  @Test("A name of any length keeps its extension", arguments: 0..<4)
  func randomExtension(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for pathExtension in [".png", ".tar.gz", ".7z", ".desktop"] {
      for _ in 0..<50 {
        let suggested = "a" + Self.text(&random) + pathExtension
        try #require(
          FileName(suggested).text.hasSuffix(pathExtension), "\(suggested.debugDescription)")
        try #require(FileName(suggested).numbered(99).text.hasSuffix("-99" + pathExtension))
      }
    }
  }

  /// Returns up to 300 scalars; every third of them is special in file names.
  private static func text(_ random: inout SplitMix64) -> String {
    let special = Array(
      "./\\-~ \n\0\u{7F}\u{9B}\u{A0}\u{301}\u{200D}\u{202E}\u{2066}\u{3164}\u{E0041}a🦀é"
        .unicodeScalars)
    let scalars = (0..<Int.random(in: 0...300, using: &random)).map { _ in
      Bool.random(using: &random)
        ? special.randomElement(using: &random) ?? "."
        : Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random)) ?? "x"
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2F, 0x5C, 0...0x1F, 0x7F...0x9F, 0x61C, 0x200B, 0x200E...0x200F, 0x2028...0x202E,
      0x2060...0x206F:
      true
    default: false
    }
  }
}
