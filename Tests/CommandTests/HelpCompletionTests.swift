import Foundation
import TestSupport
import Testing

@Suite("Completing subcommands of help, and positions in sections")
struct HelpCompletionTests {
  @Test(
    "help completes subcommands, and their subcommands", arguments: InteractiveShell.installed)
  func help(kind: InteractiveShell.Kind) throws {
    let shell = try InteractiveShell(kind, on: CommandStage())
    #expect(shell.complete("dragboard help comp").contains("<help><completion>"))
    #expect(shell.complete("dragboard help section ren").contains("<help><section><rename>"))
    let offered = shell.complete("dragboard help board ")
    for name in ["rename", "remove", "set"] { #expect(offered.contains(name), "\(name)") }
    #expect(!shell.complete("dragboard help list re").contains("<help><list><remove"))
  }

  @Test(
    "A position in a section is completed before and after the colon",
    arguments: InteractiveShell.installed)
  func positions(kind: InteractiveShell.Kind) throws {
    let stage = try CommandStage()
    try stage.output("section", "add", "files")
    try stage.output("add", "--at", "files:", "only")
    let shell = try InteractiveShell(kind, on: stage)
    #expect(shell.complete("dragboard get files:", tabs: 1).contains("<get><files:0>"))
    #expect(shell.complete("dragboard remove fi", tabs: 2).contains("<remove><files:0>"))
    #expect(
      shell.complete("dragboard move 0 --to files:", tabs: 2).contains("<--to><files:"), "\(kind)")
    try stage.output("board", "add", "work")
    #expect(
      shell.complete("dragboard get files:0 --board=wo", tabs: 1).contains("board=work>")
        || shell.complete("dragboard get files:0 --board wo", tabs: 1).contains("<--board><work>"))
  }
}
