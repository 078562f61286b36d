import Foundation
import TestSupport
import Testing

@testable import dragboard

@Suite("Archives that import refuses")
struct HostileArchiveTests {
  /// An archive, and words of the expected error.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let words: String
    var status: Int32 = 64
    let archive: @Sendable (inout TarBuilder) -> Void
  }

  /// Returns an archive of two files: a manifest with this text, and a content.
  private static func manifest(
    _ name: String, _ words: String, status: Int32 = 64, content: String = "text", _ text: String
  ) -> Case {
    Case(testDescription: name, words: words, status: status) {
      $0.add("board.json", text)
      $0.add("contents/0", content)
      $0.append(TarBuilder.end)
    }
  }

  /// Returns a case: a board with one row, in whose manifest entry one member has another value.
  private static func row(_ member: String, _ value: String, _ words: String) -> Case {
    manifest(
      "\(member): \(value.prefix(40))", words,
      TestManifest.text(rows: [TestManifest.row("contents/0", replacing: [member: value])]))
  }

  /// Returns an archive of a manifest of two rows; `body` adds the contents.
  private static func members(
    _ name: String, _ words: String, _ body: @escaping @Sendable (inout TarBuilder) -> Void
  ) -> Case {
    Case(testDescription: name, words: words) {
      $0.add(
        "board.json",
        TestManifest.text(rows: [TestManifest.row("contents/0"), TestManifest.row("contents/1")]))
      body(&$0)
      $0.append(TarBuilder.end)
    }
  }

  static let archives: [Case] = [
    Case(testDescription: "nothing", words: "the archive is incomplete") { _ in },
    Case(testDescription: "an end alone", words: "board.json must be the first member") {
      $0.append(TarBuilder.end)
    },
    Case(testDescription: "text", words: "not the header of a tar archive") {
      $0.append([UInt8](repeating: 65, count: 2_000))
    },
    Case(testDescription: "another first member", words: "board.json must be the first member") {
      $0.add("other", "")
      $0.append(TarBuilder.end)
    },
    Case(testDescription: "a wrong checksum", words: "byte 0: the checksum") {
      var tar = TarBuilder()
      tar.add("board.json", "")
      var bytes = tar.bytes
      bytes[0] ^= 1
      $0.append(bytes)
    },
    Case(testDescription: "no end mark", words: "the archive is incomplete") {
      $0.add("board.json", TestManifest.text(rows: []))
    },
    Case(testDescription: "half an end mark", words: "the archive is incomplete") {
      $0.add("board.json", TestManifest.text(rows: []))
      $0.append([UInt8](repeating: 0, count: 512))
    },
    Case(testDescription: "bytes after the end", words: "bytes after the end") {
      $0.add("board.json", TestManifest.text(rows: []))
      $0.append(TarBuilder.end + [1])
    },
    Case(testDescription: "pax records at the end", words: "the pax records is missing") {
      $0.add("board.json", TestManifest.text(rows: []))
      $0.add("x", "8 a=bcd\n", kind: "x")
      $0.append(TarBuilder.end)
    },
    members("a missing member", "contents/1 is missing, but board.json lists it") {
      $0.add("contents/0", "a")
    },
    members("a truncated member", "contents/0: the archive is incomplete") {
      $0.add("contents/0", "a", size: "00077777777")
    },
    members("members in another order", "contents/1: not expected here") {
      $0.add("contents/1", "a")
      $0.add("contents/0", "b")
    },
    members("a duplicate", "contents/0: not expected here: board.json lists contents/1") {
      $0.add("contents/0", "a")
      $0.add("contents/0", "a")
      $0.add("contents/1", "b")
    },
    members("thousands of members", "x0: not in board.json") {
      $0.add("contents/0", "a")
      $0.add("contents/1", "b")
      for number in 0..<5_000 { $0.add("x\(number)", "c") }
    },
    members("an absolute path", "/etc/passwd: not expected here") { $0.add("/etc/passwd", "a") },
    members("a path with ..", "../0: not expected here") { $0.add("contents/../../0", "a") },
    members("a path of 60,000 bytes", "the path is too long") {
      $0.add("x", "60013 path=" + String(repeating: "y", count: 60_001) + "\n", kind: "x")
      $0.add("z", "a")
    },
    members("a size of 2^63 - 1", "contents/0: the archive is incomplete") {
      $0.add("x", "28 size=9223372036854775807\n", kind: "x")
      $0.add("contents/0", "a")
    },
    members("a size of 2^63", "'9223372036854775808' is not a number of bytes") {
      $0.add("x", "28 size=9223372036854775808\n", kind: "x")
      $0.add("contents/0", "a")
    },
    members("a negative size", "'-1' is not a number of bytes") {
      $0.add("x", "11 size=-1\n", kind: "x")
      $0.add("contents/0", "a")
    },
    members("a size in another notation", "the size in the header is not an octal number") {
      $0.add("contents/0", "a", size: "\u{7F}999")
    },
    members("a pax record that is too long", "a pax record is damaged") {
      $0.add("x", "99 path=a\n", kind: "x")
    },
    members("a pax record without a length", "a pax record is damaged") {
      $0.add("x", "path=a\n", kind: "x")
    },
    members("pax records of 100,000 bytes", "too many pax records") {
      $0.add("x", String(repeating: "8 a=bcd\n", count: 12_500), kind: "x")
    },
    members("pax records twice", "too many pax records") {
      $0.add("x", "8 a=bcd\n", kind: "x")
      $0.add("x", "8 a=bcd\n", kind: "x")
    },
    members("a sparse file of pax", "a sparse file") {
      $0.add("x", "22 GNU.sparse.major=1\n", kind: "x")
      $0.add("contents/0", "a")
    },
    members("a directory with bytes", "contents/: a directory with bytes") {
      $0.add("contents/", "a", kind: "5")
    },
    members("a symbolic link", "contents/0: a link") { $0.add("contents/0", "", kind: "2") },
    members("a hard link", "contents/0: a link") { $0.add("contents/0", "", kind: "1") },
    members("a device", "contents/0: a device") { $0.add("contents/0", "", kind: "3") },
    members("a named pipe", "contents/0: a named pipe") { $0.add("contents/0", "", kind: "6") },
    members("a sparse file", "contents/0: a sparse file") { $0.add("contents/0", "", kind: "S") },
    members("an unknown type", "contents/0: a member of the unknown type 90") {
      $0.add("contents/0", "", kind: "Z")
    },
    members("text that is not UTF-8", "contents/0: ") {
      $0.add("contents/0", [0xFF])
      $0.add("contents/1", "a")
    },
    Case(testDescription: "a type twice", words: "contents/0: ", status: 77) {
      $0.add("board.json", TestManifest.text(rows: [TestManifest.row("contents/0", "contents/1")]))
      $0.add("contents/0", "a")
      $0.add("contents/1", "a")
      $0.append(TarBuilder.end)
    },
    members("a global header", "a global pax header") { $0.add("g", "8 a=bcd\n", kind: "g") },
  ]

  private static let nesting = String(repeating: "[", count: 90_000)

  static let manifests: [Case] = [
    manifest("no JSON", "board.json: line 1: '{' is expected", "text"),
    manifest("an empty object", "the name of a member: a string is expected", "{}"),
    manifest("nesting", "format: an integer", "{\"format\":" + nesting),
    manifest(
      "nested rows", "'{' is expected", TestManifest.text(rows: [nesting])),
    manifest("half a manifest", "incomplete", String(TestManifest.text(rows: []).prefix(30))),
    manifest("text behind", "the end of the file is expected", TestManifest.text(rows: []) + "x"),
    manifest(
      "another format", "format: 3 is unknown (expected 1…2)",
      TestManifest.text(rows: [], head: "\"format\":3,")),
    manifest(
      "a text in format 1", "'text' is unknown",
      TestManifest.text(rows: ["{\"text\":\"a\"}"])),
    manifest(
      "a row without content", "representations: are missing",
      TestManifest.text(rows: ["{\"created\":1}"], head: "\"format\":2,")),
    manifest(
      "a text and a file", "text: cannot be used with representations",
      TestManifest.text(
        rows: [
          "{\"text\":\"a\",\"representations\":[{\"type\":\"a/b\",\"path\":\"contents/0\"}]}"
        ], head: "\"format\":2,")),
    manifest(
      "no format", "'format' is missing before the rows", TestManifest.text(rows: [], head: "")),
    manifest(
      "the format twice", "'format' is unknown or occurs twice",
      TestManifest.text(rows: [], head: "\"format\":1,\"format\":1,")),
    manifest("a path above", "'contents/../x' is not a path", path("contents/../x")),
    manifest("an absolute path in board.json", "'/contents/x' is not a path", path("/contents/x")),
    manifest("no sections", "sections: are missing", sections("[]")),
    manifest("a section twice", "board.json: ", sections(#"["a","a"]"#)),
    manifest("a section with a control", "board.json: ", sections(#"["a\u0007"]"#)),
    manifest("sections of numbers", "sections: a string is expected", sections("[1]")),
    manifest("too many sections", "board.json: ", status: 77, sections(many(300))),
    manifest("very many sections", "sections: too many", sections(many(70_000))),
    manifest("a wrong accepted type", "board.json: ", acceptedTypes(#"["text"]"#)),
    manifest("too many accepted types", "accepted_types: too many", acceptedTypes(many(257))),
    manifest(
      "an invalid type", "contents/0: ",
      TestManifest.text(rows: [TestManifest.row("contents/0", types: ["text"])])),
    row("section", "1", "section: 1 is out of range (0…0)"),
    row("section", "-1", "section: an integer is expected"),
    row("section", "1e3", "section: an integer is expected"),
    row("section", "9223372036854775808", "section: an integer is expected"),
    row("section", "null", "section: an integer is expected"),
    row("name", "1", "name: a string is expected"),
    row("name", #""a\u0000""#, "an invalid escape"),
    row("name", #""\ud800""#, "half a surrogate pair"),
    row("name", #""\ud800\u0041""#, "an invalid escape"),
    row("name", #""\q""#, "an unknown escape"),
    row("name", "\"\n\"", "a control character in a string"),
    row("name", #""a\u0007""#, "contents/0: "),
    row("name", "\"\(String(repeating: "a", count: 256))\"", "contents/0: "),
    row("name", "\"\(String(repeating: "a", count: 70_000))\"", "name: too long"),
    row("modified", #""now""#, "modified: an integer is expected"),
    row("modified", "nil", "modified: null is expected"),
    row("application", "{}", "application: a string is expected"),
    row("stack", "1", "stack: a string is expected"),
    row("editable", "1", "editable: true or false is expected"),
    row("movable", "null", "movable: true or false is expected"),
    row("pinned", "\"true\"", "pinned: true or false is expected"),
    row("created", "[]", "created: an integer is expected"),
    row("source", "0", "source: a string is expected"),
    row("representations", "{}", "representations: an array is expected"),
    row("representations", "[]", "representations: are missing"),
    row("representations", "[{}]", "the name of a member: a string is expected"),
    row("representations", #"[{"type":"a/b"}]"#, "'path' is missing"),
    row("representations", #"[{"type":"a/b","type":"a/b"}]"#, "'type' occurs twice"),
    row("representations", #"[{"kind":"a/b"}]"#, "'kind' is unknown (expected path, type)"),
    row(
      "representations", many(257, #"{"type":"a/b","path":"contents/0"}"#),
      "representations: too many (at most 256)"),
  ]

  private static func path(_ path: String) -> String {
    TestManifest.text(rows: [TestManifest.row(path)])
  }
  private static func sections(_ names: String) -> String {
    TestManifest.text(rows: [], board: TestManifest.board(sections: names))
  }
  private static func acceptedTypes(_ types: String) -> String {
    TestManifest.text(rows: [], board: TestManifest.board(acceptedTypes: types))
  }
  private static func many(_ count: Int, _ element: String? = nil) -> String {
    "[\((0..<count).map { element ?? "\"a/\($0)\"" }.joined(separator: ","))]"
  }

  @Test(
    "Each archive is refused with the name of the member, and no board is created",
    arguments: [false, true])
  func refusal(isPiped: Bool) throws {
    let stage = try CommandStage()
    let file = stage.folder.appending(path: "hostile.tar")
    // A failed import must not take the place of a deleted board.
    let gone = try stage.shell("dragboard board add gone && dragboard board remove gone")
    #expect(gone.status == .exited(0))
    let boards = try stage.output("boards")
    for archive in Self.archives + Self.manifests {
      var tar = TarBuilder()
      archive.archive(&tar)
      try Data(tar.bytes).write(to: file)
      let line = isPiped ? "cat hostile.tar | dragboard import -" : "dragboard import hostile.tar"
      let result = try stage.shell(line)
      #expect(result.status == .exited(archive.status), "\(archive): \(result.errors)")
      #expect(result.errors.hasPrefix("Error: "), "\(archive)")
      #expect(result.errors.contains(archive.words), "\(archive): \(result.errors)")
      #expect(result.output == "", "\(archive)")
      #expect(try stage.output("boards") == boards, "\(archive)")
    }
    #expect(try stage.shell("dragboard board restore gone").status == .exited(0))
  }

  /// An archive of three rows without faults.
  private static var good: [UInt8] {
    var tar = TarBuilder()
    let modified = ["modified": "981173106789000"]
    tar.add(
      "board.json",
      TestManifest.text(rows: [
        TestManifest.row("contents/0", replacing: modified),
        TestManifest.row("contents/1", "contents/2", types: ["a/b", "a/c"]),
      ]))
    tar.add("x", "19 path=contents/0\n", kind: "x")
    tar.add("other", "text")
    tar.add("contents/1", [UInt8](repeating: 7, count: 600))
    tar.add("contents/2", "")
    tar.append(TarBuilder.end)
    return tar.bytes
  }

  /// Changes single bytes or blocks at random, or cuts the archive off.
  private static func mutated(_ bytes: [UInt8], by random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let index = Int.random(in: bytes.indices, using: &random)
      let block = index / 512 * 512
      switch Int.random(in: 0..<8, using: &random) {
      case 0: bytes.removeSubrange(index...)
      case 1: bytes.remove(at: index)
      case 2: bytes.removeSubrange(block..<min(block + 512, bytes.count))
      case 3: bytes.insert(contentsOf: bytes[block...].prefix(512), at: block)
      case 4: bytes[index] = 0xFF
      default: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
    }
    return bytes
  }

  @Test("An archive with random faults becomes a complete board or no board")
  func mutations() throws {
    let stage = try CommandStage()
    let file = stage.folder.appending(path: "mutated.tar")
    var random = SplitMix64(seed: 20_261_124)
    var outcomes: [ProcessStatus: Int] = [:]
    for number in 0..<120 {
      try Data(number == 0 ? Self.good : Self.mutated(Self.good, by: &random)).write(to: file)
      let result = try stage.shell("dragboard import mutated.tar --name copy")
      outcomes[result.status, default: 0] += 1
      if result.status == .exited(0) {
        #expect(result.output.hasPrefix("copy: 2 rows\n"), "\(number)")
        try stage.output("board", "remove", "copy")
      } else {
        #expect([.exited(64), .exited(77)].contains(result.status), "\(number): \(result)")
        #expect(result.errors.hasPrefix("Error: "), "\(number)")
      }
      #expect(try stage.lines("boards").count == 1, "\(number)")
    }
    #expect(outcomes[.exited(0), default: 0] > 0 && outcomes[.exited(64), default: 0] > 50)
  }

  @Test("Every fault in an archive causes an error of the reader, not a crash")
  func reader() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    var random = SplitMix64(seed: 1)
    var (accepted, refused) = (0, 0)
    for number in 0..<3_000 {
      let bytes = number == 0 ? Self.good : Self.mutated(Self.good, by: &random)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      do {
        let archive = try ArchiveReader(try InputFile(path: path))
        while let member = try archive.next() {
          let file = try SpoolFile()
          try archive.read { try file.write($0) }
          #expect(file.byteCount == member.byteCount)
          guard member.path == "board.json" else { continue }
          var manifest = try ManifestReader(file, name: "board.json")
          while try manifest.next() != nil {}
        }
        accepted += 1
      } catch is CommandError { refused += 1 }
    }
    #expect(accepted > 0 && refused > 1_000)
  }
}
