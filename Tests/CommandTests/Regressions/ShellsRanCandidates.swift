import Foundation
import TestSupport
import Testing

/// bash expanded candidates as file names.
///
/// This ran a command in a type that a client had chosen. The completion also escaped characters
/// instead of Unicode scalars.
@Suite("Regression: shells ran commands in the names that clients had chosen")
struct ShellsRanCandidates {
  /// Names that make a shell run `touch made`, expand something, or read an option.
  static let hostile = [
    "a${a-`touch made`}", "b`touch made`", "c$(touch made)", "d\u{600}`touch made`",
    "f\";touch made;\"", "g\\`touch made\\`", "h!!", "i|touch made",
    "j>made", "k\u{202E}`touch made`", "l\u{200B}$(touch made)", "m\u{FEFF}&touch made&",
    "n;\u{338}`touch made`", "o{a,b}", "p~*?[a]", "q/${a-`touch made`}", "r\u{E9}`touch made`",
    "s\u{A0}`touch made`", "t%F{red}%(touch made)", "--exec=touch made", "-x",
    "~/`touch made`", "*", "$(touch made)", "=touch", "`touch made`",
    // bash writes letters that are unknown in its locale as $'…', and does not escape the rest.
    "u;touch made;#a\u{1C89}", "v\u{FC};touch made;#x", "w&touch made&", "y';touch made;'",
    "z(touch made)",
  ]

  /// Names that a shell may offer, in quotes if necessary.
  static let offered = [
    "my board", "A;touch made", "Zürich 🏔",
    "D=-x", "漢字 あ", "E:F", "G, H", "K%s@home+1",
  ]

  /// Makes boards, sections, rows and a drag whose names, texts and type parameters are these
  /// names.
  private func stage(_ names: [String]) throws -> CommandStage {
    let stage = try CommandStage()
    let list = stage.daemon.bus.home.appending(path: "names").path
    try names.joined(separator: "\n").appending("\n")
      .write(toFile: list, atomically: true, encoding: .utf8)
    let result = try stage.shell(
      #"""
      while IFS= read -r name; do
        dragboard board add -- "$name"
        dragboard section add -- "$name"
        value=${name//[!a-z0-9 \`$(){\};&|\'!~*?-]/}
        printf %s "$name" | dragboard add --stdin --type "x/y;a=\"$value\""
      done < ../names > /dev/null
      dragboard drag --detach --as org.example $(seq -f '--row %g' 0 \#(min(10, names.count - 1))) > /dev/null
      """#)
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(result.errors == "")
    return stage
  }

  @Test("Completion offers no board whose name a shell could evaluate, and runs no command")
  func hostileBoards() throws {
    let stage = try CommandStage()
    let shells = try InteractiveShell.installed.map { try InteractiveShell($0, on: stage) }
    for name in Self.hostile {
      try stage.output("board", "add", "--", name)
      let start = name.unicodeScalars.prefix { $0.properties.isAlphabetic && $0.isASCII }
      for shell in shells {
        let shown = shell.complete("dragboard list --board \(String(start))", tabs: 1)
        #expect(!shown.contains("touch"), "\(shell.kind) offers \(name)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: stage.folder.path) == [])
      try stage.output("board", "remove", "--", name)
    }
  }

  @Test(
    "Completion offers no section, row or type that a shell could evaluate, and runs no command")
  func hostile() throws {
    let stage = try stage(Self.hostile)
    for kind in InteractiveShell.installed {
      let shell = try InteractiveShell(kind, on: stage)
      shell.complete("dragboard list --section ")
      let sections = shell.complete("dragboard section remove -")
      #expect(!sections.contains("touch"), "\(kind)")
      for row in Self.hostile.indices { shell.complete("dragboard get \(row) --type ") }
      shell.complete("dragboard drop --type ")
      let types = shell.complete("dragboard drop 1 --type ")
      #expect(!types.contains("touch made"), "\(kind)")
      for words in ["move", "get", "drop"] { shell.complete("dragboard \(words) ") }
      let rows = shell.complete("dragboard move -")
      #expect(!rows.contains("<--exec=touch made>"), "\(kind)")
      #expect(rows.contains("<move><-"), "\(kind)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: stage.folder.path) == [], "\(kind)")
    }
  }

  @Test("An offered name is inserted unchanged, whatever quote the word begins with")
  func offered() throws {
    let stage = try stage(Self.offered)
    for kind in InteractiveShell.installed {
      let shell = try InteractiveShell(kind, on: stage)
      for name in Self.offered {
        let start = name.unicodeScalars.first.map(String.init) ?? ""
        let shown = shell.complete("dragboard list --board \(start)")
        #expect(shown.contains("<list><--board><\(name)>"), "\(kind) \(name): \(shown.suffix(300))")
      }
      #expect(
        shell.complete("dragboard list --board \"Z").contains("<list><--board><Zürich 🏔>"))
      #expect(
        shell.complete("dragboard list --section 'A").contains("<list><--section><A;touch made>"))
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: stage.folder.path) == [], "\(kind)")
    }
  }

  /// After an open quote, bash inserts candidates unchanged.
  @Test(
    "Completion offers bash no word that it would expand, whatever quote is open",
    arguments: [
      ("a", #"<a\$\(x\)><a\`x\`><a\\x><a\!x><a\"x><a\'x><a\;x>"#), (#""a"#, "<a'x><a;x>"),
      ("'a", #"<a$(x)><a`x`><a\x><a!x><a"x><a;x>"#), ("x'a", "<>"), (#""x"'a"#, "<>"),
    ])
  func openQuotes(word: String, offered: String) throws {
    let words = #"a$(x) a`x` a\x a!x a"x a'x a;x"#.replacing(" ", with: "\n")
    let stage = try CommandStage()
    let result = try TestSupport.run(
      "bash",
      [
        "-c",
        #"""
        source <(dragboard completion bash)
        COMP_WORDS=(dragboard "$0") COMP_CWORD=1 cur=a
        __dragboard_add_words "$1"
        printf '<%s>' "${COMPREPLY[@]}"
        """#, word, words,
      ], environment: stage.environment)
    #expect(result.output == offered, "\(result.errors)")
  }
}
