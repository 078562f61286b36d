import Foundation
import TestSupport
import Testing

@testable import dragboard

@Suite("Command lines for completion")
struct ShellLineTests {
  @Test(
    "Quotes and backslashes are parsed as in a shell",
    arguments: [
      ("plain", "plain"), (#"a\ b"#, "a b"), ("'a b'", "a b"), (#""a b""#, "a b"), ("'a b", "a b"),
      (#""a\"b\c""#, #"a"b\c"#), (#"'a\'"#, #"a\"#), (#"it\'s"#, "it's"), (#"a"b c"'d'"#, "ab cd"),
      ("", ""),
    ])
  func quotes(word: String, text: String) {
    #expect(ShellWord.unquoted(word) == text)
  }

  @Test("Options are found with their values in every notation")
  func options() {
    let words = ["dragboard", "get", "-b", "'my board'", "3", "--type=text/html", ""]
    let line = ShellLine(words, completing: 6, isBash: false)
    #expect(line.value(of: "--board", "-b") == "my board")
    #expect(line.value(of: "--type") == "text/html")
    #expect(line.value(of: "--to") == nil)
    #expect(line.positionals == ["get", "3"])
    #expect(line.current == "")
  }

  @Test("The parts of a word that bash splits at colons and equals signs are joined")
  func pieces() {
    let words = [
      "dragboard", "move", "a", ":", "1", "--board", "=", "x", ":", "y", "--to", "b", ":",
    ]
    let line = ShellLine(words, completing: 12, isBash: true)
    #expect(line.positionals == ["move", "a:1"])
    #expect(line.value(of: "--board") == "x:y")
    #expect(line.current == "b:")
    #expect(line.kept == "b:")
    let option = ShellLine(words, completing: 9, isBash: true)
    #expect(option.current == "x:y")
    #expect(option.kept == "x:")
  }

  @Test("An index after the last word is the beginning of a new word")
  func beyond() {
    let line = ShellLine(["dragboard", "list"], completing: 2, isBash: true)
    #expect(line.current == "")
    #expect(line.positionals == ["list"])
  }

  @Test("A candidate has the format that the script of each shell expects")
  func candidates() {
    let candidate = Candidate("a:b c", "what\tit\u{1B} is")
    #expect(candidate.line(for: .bash, behind: "a:") == "b c")
    #expect(candidate.line(for: .bash, behind: "x:") == nil)
    #expect(candidate.line(for: .zsh, behind: "") == #"a\:b c:what it␛ is"#)
    #expect(candidate.line(for: .fish, behind: "") == "a:b c\twhat it␛ is")
    #expect(Candidate("$(a)").line(for: .bash, behind: "") == nil)
    #expect(Candidate("$(a)").line(for: nil, behind: "") == nil)
  }

  @Test(
    "A word is safe if it has no character that a shell expands",
    arguments: [
      "a", "my board", "text/plain;charset=utf-8", "E-mail, post", "100 %",
      "Zürich 🏔", "e\u{301}", "❤\u{FE0F}", "漢字", "«a» – „b“", "later:3", "x@home+1,2",
    ])
  func safe(word: String) { #expect(SafeWord.isSafe(word)) }

  @Test(
    "A word is unsafe if it has one scalar that a shell expands or a reader cannot see",
    arguments: [
      "", "-x", "=ls", "--exec=sh", "~", "a~b", "$a", "a`b", "a\\b", "a\"b", "a!", "*", "a?", "[a]",
      "{a,b}",
      "a|b", "a<b", "a>b", "a^b", "a\tb", "a\nb", "a\u{1B}", "a\u{7F}", "a\u{9B}", "\u{600}`",
      "a\u{600}b", "a\u{202E}b", "a\u{200B}b", "a\u{200D}b", "a\u{FEFF}b", "a\u{A0}b", "a\u{2028}b",
      "a\u{3164}b", "a\u{E0041}b", "a\u{E000}b", "a\u{378}b", "\u{301}a", "a;\u{338}b",
      "a'\u{301}b",
      "`\u{301}", "Mum's", "a&b", "(2)", "#1", "ü;b", "a;\u{1C89}",
    ])
  func unsafe(word: String) { #expect(!SafeWord.isSafe(word)) }

  @Test("The list of options with a value equals the options of the command")
  func valued() throws {
    let result = try run(builtProduct("dragboard"), ["--experimental-dump-help"])
    let tool = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    var names: Set<String> = []
    func collect(_ command: [String: Any]) {
      for argument in command["arguments"] as? [[String: Any]] ?? []
      where argument["kind"] as? String == "option" {
        for name in argument["names"] as? [[String: Any]] ?? [] {
          let text = name["name"] as? String ?? ""
          names.insert((name["kind"] as? String == "short" ? "-" : "--") + text)
        }
      }
      for subcommand in command["subcommands"] as? [[String: Any]] ?? [] { collect(subcommand) }
    }
    collect(tool?["command"] as? [String: Any] ?? [:])
    #expect(names == ShellLine.valued)
  }
}
