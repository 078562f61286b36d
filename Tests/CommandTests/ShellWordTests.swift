import TestSupport
import Testing

@testable import dragboard

@Suite("Words of a shell command")
struct ShellWordTests {
  @Test("A word that needs no quotes is not quoted", arguments: ["uint32:0", "/a/b", "-1", "a,b"])
  func plain(word: String) {
    #expect(ShellWord.quoted(word) == word)
  }

  @Test(
    "The shell restores the quoted text",
    arguments: [
      "", "two words", "it's", "'", "$HOME `id` \\ \"!\"", "a;b&c|d", "line\nline", "ü",
      "x'\u{301};echo ran;'",
    ])
  func quoted(text: String) throws {
    let result = try run("sh", ["-c", "printf %s \(ShellWord.quoted(text))"])
    #expect(result.output == text)
  }
}
