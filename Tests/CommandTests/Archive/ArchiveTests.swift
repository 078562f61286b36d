import DragboardClient
import Foundation
import TestSupport
import Testing

@testable import dragboard

@Suite("dragboard export and import")
struct ArchiveTests {
  /// The content, the attributes and the flags of a row.
  private struct RowValue: Equatable {
    let section: String
    let attributes: ItemAttributes
    let flags: [Bool]
    /// The number of bytes and their hash, by type.
    let contents: [String: String]
    let types: [ContentType]

    /// Whether the manifest has the content.
    var isShortText: Bool {
      let size = contents[ContentType.plainText.rawValue]?.split(separator: " ").first
      return types == [.plainText] && size.flatMap { Int($0) } ?? 0 <= PageTexts.maxByteCount
    }
  }

  private static let names = [
    "", "", "report.pdf", "report.pdf", "../../etc/passwd", ".hidden", "-rf", "a/b\\c",
    "x y\"'$`.txt", "\u{202E}gpj.exe", "日本語.tar.gz", "👩‍👩‍👧.png", String(repeating: "ü", count: 255),
    String(repeating: "a", count: 250) + ".html", "\u{200B}", "name=value\\n", "..", "con.tar",
  ]
  private static let types: [ContentType] = [
    "text/html", .plainText, "image/png", "application/x-thing;a=b", "text/plain", .data,
  ]
  private static let sizes = [
    0, 1, 511, 512, 513, 8_192, 8_193, 32_768, 65_535, 65_536, 65_537, 3 << 20,
  ]
  private static let times: [Duration?] = [
    nil, .zero, .microseconds(1), .seconds(981_173_106) + .milliseconds(789),
    .seconds(8_589_934_592), .microseconds(Int64.max),
  ]

  /// Adds random rows and sections to a board.
  private func fill(_ board: Board, by random: inout SplitMix64) async throws {
    try await board.sections.rename(at: 0, to: "first \"one\"")
    try await board.sections.insert(named: "empty")
    try await board.sections.insert(named: "zuletzt ü")
    try await board.settings.setAcceptedTypes(["text/*", "image/png"])
    try await board.settings.setMovesMultipleRows(true)
    for number in 0..<60 {
      let types = Self.types.shuffled(using: &random)
        .prefix(number % 3 == 0 ? Int.random(in: 2...6, using: &random) : 1)
      let item = try await board.insert(
        types.enumerated().map { index, type in
          let size = Self.sizes[(number + index * 5) % Self.sizes.count]
          let byte = UInt8.random(in: 97...122, using: &random)
          return (type, .data([UInt8](repeating: byte, count: size)))
        },
        attributes: ItemAttributes(
          name: Self.names[number % Self.names.count], modified: Self.times[number % 6],
          application: number % 2 == 0 ? "org.example.Näme" : "",
          stack: number % 4 < 2 ? "stack \(number / 4)" : ""),
        inSection: number % 2 * 2, at: number % 5 == 0 ? 0 : nil)
      if number % 7 == 0 { try await board.setPinned(true, of: item) }
      if number % 6 == 0 { try await board.setMovable(false, of: item) }
      if number % 4 == 0 { try await board.setEditable(false, of: item) }
    }
    // The row has more files than a call accepts.
    try await board.insert(
      (0..<40).map {
        (ContentType("a/x\($0)"), .data([UInt8](repeating: UInt8($0), count: 9_000 + $0)))
      })
    try await board.settings.setMaxRows(61)
    try await board.settings.setRetainedRows(62)
    try await board.settings.setRetainedTime(.seconds(86_400))
    try await board.settings.setMovesDuplicates(true)
  }

  private func values(of board: Board) async throws -> [RowValue] {
    var values: [RowValue] = []
    for (index, section) in try await board.info().sections.enumerated() {
      for row in try await board.page(ofSection: index, count: 10_000).rows {
        var contents: [String: String] = [:]
        for type in row.types {
          let bytes = try await board.file(of: row.id, as: type).bytes()
          contents[type.rawValue] = "\(bytes.count) \(bytes.hashValue)"
        }
        values.append(
          RowValue(
            section: section, attributes: row.attributes,
            flags: [row.isEditable, row.isMovable, row.isPinned], contents: contents,
            types: row.types))
      }
    }
    return values
  }

  @Test(
    "A board is equal after export and import, and tar can read the archive", arguments: [1, 2])
  func roundTrip(seed: UInt64) async throws {
    let stage = try CommandStage()
    let dragboard = try await DragboardConnection.connect(to: stage.daemon.bus.address)
    let board = try await dragboard.createBoard(named: "wörk")
    var random = SplitMix64(seed: seed)
    try await fill(board, by: &random)
    let result = try stage.shell(
      """
      set -e; dragboard export -b wörk -o a.tar; dragboard export -b wörk > b.tar; cmp a.tar b.tar
      dragboard import a.tar; dragboard export -b 'wörk 2' | dragboard import - --name third
      mkdir out; tar --warning=no-timestamp -xf a.tar -C out; tar -tf a.tar | head -n 1
      tar --warning=no-timestamp --format=pax --sort=name -C out -cf packed.tar ./board.json ./contents
      dragboard import packed.tar --name packed; stat -c %a a.tar
      """)
    #expect(
      result.output == """
        wörk 2: 61 rows
        Show the rows: dragboard list --board 'wörk 2'
        third: 61 rows
        Show the rows: dragboard list --board third
        board.json
        packed: 61 rows
        Show the rows: dragboard list --board packed
        600

        """, "\(result.errors)")
    #expect(result.errors == "")
    let rows = try await values(of: board)
    let info = try await board.info()
    for name in ["wörk 2", "third", "packed"] {
      let copy = try await dragboard.board(named: name)
      let copied = try await values(of: copy)
      #expect(copied.count == rows.count)
      for (index, pair) in zip(rows, copied).enumerated() {
        #expect(pair.0 == pair.1, "\(name), row \(index)")
      }
      let settings = try await copy.info()
      #expect(settings.sections == info.sections && settings.acceptedTypes == info.acceptedTypes)
      #expect(settings.maxRows == 61 && settings.movesMultipleRows)
      #expect(settings.retainedRows == 62 && settings.retainedTime == .seconds(86_400))
      #expect(settings.movesDuplicates)
    }
    try expectFiles(in: stage.folder.appending(path: "out"), of: rows)
  }

  /// Checks that each file has the expected name and modification time, and that all files are in
  /// one folder.
  private func expectFiles(in folder: URL, of rows: [RowValue]) throws {
    let contents = folder.appending(path: "contents")
    let names = try FileManager.default.contentsOfDirectory(atPath: contents.path).sorted()
    let files = rows.enumerated().filter { !$1.isShortText }
    // A page with long texts has its short texts in files, too.
    #expect(names.count >= files.reduce(0) { $0 + $1.element.types.count })
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    for (index, row) in files {
      let start = "000\(index)".suffix(4)
      let files = names.filter { $0.hasPrefix(start) }
      #expect(files.count == row.types.count)
      let file = try #require(files.first)
      guard row.attributes.modified == Self.times[3] else { continue }
      let values = try FileManager.default.attributesOfItem(
        atPath: contents.appending(path: file).path)
      let date = try #require(values[.modificationDate] as? Date)
      #expect(abs(date.timeIntervalSince1970 - 981_173_106.789) < 0.001)
    }
  }

  @Test("board.json conforms to its schema, and has readable names")
  func manifest() async throws {
    let stage = try CommandStage()
    let dragboard = try await DragboardConnection.connect(to: stage.daemon.bus.address)
    var random = SplitMix64(seed: 3)
    try await fill(try await dragboard.createBoard(named: "work"), by: &random)
    let text = try stage.shell("dragboard export -b work | tar -xO board.json").output
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    let schema = try JSONSchema(Checkout.text(of: "docs/board.schema.json"))
    #expect(schema.violation(of: value, by: "manifest") == nil)
    let paths = (value["rows"]?.elements ?? []).flatMap { $0["representations"]?.elements ?? [] }
      .compactMap { $0["path"]?.text }
    #expect(Set(paths).count == paths.count)
    #expect(paths.contains { $0.hasSuffix("-report.pdf") })
    #expect(paths.allSatisfy { $0.utf8.count <= 264 && !$0.contains("..") || $0.contains("_.._") })
  }

  @Test(
    "An empty board and the default board are equal after export and import; a long name is cut")
  func names() throws {
    let stage = try CommandStage()
    let long = String(repeating: "n", count: 64)
    let result = try stage.shell(
      """
      dragboard export | dragboard import - --json; dragboard export | dragboard import - --json
      dragboard board add \(long); dragboard export -b \(long) | dragboard import - --json
      dragboard export | dragboard import - --name default
      """)
    #expect(
      result.output == """
        {"name":"default 2","rows":0}
        {"name":"default 3","rows":0}
        {"name":"\(long.dropLast(2)) 2","rows":0}

        """)
    #expect(result.status == .exited(77))
    #expect(result.errors.contains("default"))
    try stage.expect(66, "import", "missing.tar", naming: "missing.tar")
    try stage.expect(64, "export", "--json", naming: "--output")
  }

  @Test("The order of many rows is equal after export and import")
  func manyRows() throws {
    let stage = try CommandStage()
    let result = try stage.shell(
      """
      set -e; seq 3000 | dragboard add --lines > ids; dragboard export -o a.tar
      dragboard import a.tar --name copy > out; dragboard list -b copy | cut -f 6 | cmp - <(seq 3000)
      """)
    #expect(result.status == .exited(0), "\(result.errors)")
  }

  @Test("Short texts need at most three times their bytes, and texts of all scalars are equal")
  func shortTexts() throws {
    let stage = try CommandStage()
    let result = try stage.shell(
      """
      set -e; seq -f 'line %.0f of the text that is a row' 1000 > lines; dragboard add --lines < lines > ids
      printf 'a\\u0001b\\0c\\xef\\xbf\\xbd\\xe2\\x80\\xae"\\\\\\n' > odd
      dragboard add --stdin --type UTF8_STRING < odd > id
      dragboard export -o a.tar; dragboard import a.tar --name copy > out
      dragboard list -b copy --count 1000 | cut -f 6 | cmp - lines
      dragboard get 1000 -b copy --type UTF8_STRING | cmp - odd
      test $(stat -c %s a.tar) -lt $((3 * $(stat -c %s lines)))
      """)
    #expect(result.status == .exited(0), "\(result.errors)")
  }

  @Test("An archive is written to a terminal only with --force")
  func terminal() throws {
    let stage = try CommandStage()
    let ended = try stage.terminal("export").waitForExit()
    #expect(ended.status == .exited(77))
    #expect(ended.shown.contains("--output FILE"))
    let forced = try stage.terminal("export", "--force").waitForExit()
    #expect(forced.status == .exited(0) && forced.shown.contains("board.json"))
  }

  @Test("A failed export does not change the older file, and leaves no other file")
  func failedExport() throws {
    let stage = try CommandStage()
    let result = try stage.shell(
      """
      mkdir d; echo old > d/a.tar; dragboard export -b missing -o d/a.tar; ls -A d; cat d/a.tar
      dragboard export -o d/a.tar; ls -A d; dragboard export -o /dev/null && echo null
      dragboard export -o d; ls -A d
      """)
    #expect(result.output == "a.tar\nold\na.tar\nnull\na.tar\n", "\(result.errors)")
  }
}
