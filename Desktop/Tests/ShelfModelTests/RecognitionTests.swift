import DragboardClient
import Testing

@testable import ShelfModel

@Suite("Recognized texts")
struct RecognitionTests {
  private func recognition(_ text: String, types: [ContentType] = [.plainText]) -> Recognition? {
    RowFacts(id: item(1), preview: text, types: types, byteCount: text.utf8.count).recognition
  }

  @Test(
    "Code is recognized",
    arguments: [
      "for (int i = 0; i < n; i++) {", "let x = 5", "def run(self):", "#include <stdio.h>",
      "func add(_ a: Int) -> Int", "import Foundation", "from os import path", "#!/bin/sh",
      "<div class=\"x\">Text</div>", "{\"name\": 1}", "SELECT a FROM b WHERE c = 1",
      "git commit -m 'x'", "sudo reboot", "$ ls", "cd /tmp", "self.total += 1", "print(x)", "}",
      "const f = () => 1;", "public static void main(String[] args) {", "PATH=/usr/bin",
    ])
  func code(text: String) { #expect(recognition(text) == .code) }

  @Test(
    "Prose is not code",
    arguments: [
      "Call the garage about the brakes", "let me know", "class trip tomorrow", "return the book",
      "if you can (please):", "import duties for cars", "make sure - really", "Wait; I am coming",
      "for Anna (and Ben)", "from here to there", "Meeting at 10:30; room 5", "5 > 3",
      "git is great",
      "Hello (world)", "case closed.", "Preis: 5,00 € (netto)", "public holiday: Monday", "",
      "item(s)", "<3 you", "- milk", "See you :)", "東京都庁",
    ])
  func prose(text: String) { #expect(recognition(text) == nil) }

  @Test("Half of the first lines must look like code")
  func lines() {
    #expect(Recognition.isCode("int main() {\n  return 0;\n}"))
    #expect(Recognition.isCode("// A comment\n\nint x = 5;\nint y = f(x);"))
    #expect(!Recognition.isCode("Dear Anna,\nthe value is\nx = 5\nBest wishes"))
  }

  @Test(
    "A mailbox is recognized only as the whole text",
    arguments: [
      ("anna@example.org", true), ("a.b+c@mail.example.co.uk", true), ("anna@example", false),
      ("@example.org", false), ("anna@example.org, ben@example.org", false), ("a@b@c.de", false),
      ("write to anna@example.org", false), ("anna@example..org", false), ("anna@example.o", false),
    ])
  func mailbox(text: String, isMailbox: Bool) {
    #expect((recognition(text) == .mailbox) == isMailbox)
  }

  @Test("Links are recognized, and other kinds of content are not examined")
  func others() {
    #expect(recognition("https://example.org/a?b=c;d={") == .link)
    #expect(recognition("let x = 5", types: ["image/png", .plainText]) == nil)
    #expect(RowFacts(id: item(1), preview: "https://example.org").detail { _ in "" } == "Link")
    #expect(RowFacts(id: item(1), preview: "let x = 5").detail { _ in "" } == "Code")
  }
}
