import ClipboardModel
import Testing

@Suite struct PasteModelTests {
  @Test(
    "Most programs paste with Shift+Insert",
    arguments: [
      ("firefox", PasteKeys.shiftInsert), ("xterm", .shiftInsert), ("blender", .controlV),
      ("gimp-2.10", .controlV), ("thunar", .controlV), ("", .shiftInsert),
    ])
  func mostProgramsPasteWithShiftInsert(_ program: String, _ keys: PasteKeys) {
    #expect(PasteRule.keys(for: ProgramNames(process: program), []) == keys)
  }

  @Test("The user's rules come first") func theUsersRulesComeFirst() throws {
    let rules = try ["control+shift+v my*", "shift+insert blender", "control+v my-editor"].map {
      try #require(PasteRule($0))
    }
    func keys(_ name: String) -> PasteKeys {
      PasteRule.keys(for: ProgramNames(process: name), rules)
    }
    #expect(keys("my-editor") == .controlShiftV)
    #expect(keys("blender") == .shiftInsert)
    #expect(rules.map(\.text)[0] == "control+shift+v my*")
  }

  @Test(
    "A rule with other keys, or without a pattern, is refused",
    arguments: ["", "control+v", "control+x a", "Return a", "control+v+Return a"])
  func aRuleWithOtherKeysIsRefused(_ text: String) { #expect(PasteRule(text) == nil) }

  @Test(
    "The programs of KDE paste by an action",
    arguments: [
      ("org.kde.konsole", true), ("kwrite", true), ("org.example.kde", false), ("foot", false),
      ("", false),
    ])
  func theProgramsOfKDEPasteByAnAction(_ id: String, _ isAction: Bool) {
    #expect(PasteRule.isAction(in: ProgramNames(applicationID: id)) == isAction)
  }

  @Test(
    "Terminals and unknown programs may run a text",
    arguments: [
      ("xterm", true), ("gnome-terminal-", true), ("org.gnome.Console", true), ("foot", true),
      ("konsole", true), ("", true), ("firefox", false), ("gedit", false), ("footnote", false),
    ])
  func terminalsAndUnknownProgramsMayRunAText(_ name: String, _ mayBe: Bool) {
    #expect(Terminal.mayBe(ProgramNames(process: name)) == mayBe)
  }

  @Test(
    "A terminal that is not known to paste the selection may paste the clipboard",
    arguments: [
      ("xterm", true), ("org.gnome.Terminal", true), ("foot", true), ("GVim", true),
      ("konsole", false), ("org.example.Console", false), ("", false), ("gedit", false),
    ])
  func aTerminalMayPasteTheClipboard(_ id: String, _ pastesSelection: Bool) {
    #expect(Terminal.pastesSelection(ProgramNames(applicationID: id)) == pastesSelection)
  }

  @Test(
    "Line ends and control characters are found",
    arguments: [
      ("", false), ("a ß 漢字", false), ("a\n", true), ("\r", true), ("a\tb", true),
      ("\u{1B}[A", true),
      ("\u{7F}", true), ("\u{85}", true), ("\u{9B}x", true), ("\u{A0}", false), ("\0", true),
    ])
  func lineEndsAndControlCharactersAreFound(_ text: String, _ found: Bool) {
    let bytes = Array(text.utf8)
    #expect(bytes.withUnsafeBytes { Terminal.hasControls($0, after: 0) } == found)
    // Also if the text comes in pieces.
    var last = UInt8(0)
    let pieces = bytes.map { byte in
      defer { last = byte }
      return [byte].withUnsafeBytes { Terminal.hasControls($0, after: last) }
    }
    #expect(pieces.contains(true) == found)
  }
}
