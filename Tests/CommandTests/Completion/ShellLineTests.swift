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
    #expect(ShellLine(word).current == text)
  }

  @Test("A line is split at blanks that are not quoted")
  func words() {
    let line = ShellLine(#"dragboard get  -b 'my board' a\ b --type=text/html "x y"#)
    #expect(line.words == ["dragboard", "get", "-b", "my board", "a b", "--type=text/html"])
    #expect(line.current == "x y")
    #expect(ShellLine("dragboard list ").current == "")
    #expect(ShellLine("").words == [])
  }

  @Test(
    "The part of a word that the shell does not replace is kept",
    arguments: [
      ("move a:1", "1", "a:"), ("move a:", "", "a:"), ("move --board=x", "x", "--board="),
      (#"move "a b"#, "a b", ""), (#"move a\ b:1"#, "1", "a b:"), ("move 3", "3", ""),
    ])
  func kept(line: String, replaced: String, kept: String) {
    #expect(ShellLine("dragboard \(line)", replacing: replaced).kept == kept)
  }

  @Test("A candidate is a line with its description, without control characters")
  func candidates() {
    #expect(Candidate("a:b c", "what\tit\u{1B} is").line == "a:b c\twhat it␛ is")
    #expect(Candidate("a").line == "a")
    #expect(Candidate(line: "a b\tc") == Candidate("a b", "c"))
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
}
