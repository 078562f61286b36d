import Foundation
import TestSupport
import Testing

@testable import Files

@Suite("A running program")
struct RunningProgramTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func install(_ name: String) throws {
    let new = URL(fileURLWithPath: "\(folder.path)/new")
    try whileNothingStarts {
      try FileManager.default.copyItem(at: URL(fileURLWithPath: "/usr/bin/sleep"), to: new)
    }
    #expect(rename(new.path, "\(folder.path)/\(name)") == 0)
  }

  @Test(
    "It is replaced if another file has its path", arguments: ["program", "program (deleted)"])
  func replaced(name: String) throws {
    try install(name)
    let process = try ChildProcess("\(folder.path)/\(name)", ["60"], environment: [:])
    defer { process.kill(SIGKILL) }
    var found = RunningProgram(process: process.id)
    // Before the program is executed, the process is a copy of this one.
    while found?.path == RunningProgram.own?.path { found = RunningProgram(process: process.id) }
    let program = try #require(found)
    #expect(program.path == "\(folder.path)/\(name)")
    #expect(!program.isReplaced)
    try install(name)
    #expect(program.isReplaced)
    let later = try #require(RunningProgram(process: process.id))
    #expect(later.path == program.path && later.isReplaced)
    // A program that was removed, and not replaced, continues.
    #expect(unlink(program.path) == 0)
    #expect(!program.isReplaced)
    #expect(RunningProgram(process: process.id)?.isReplaced == false)
  }

  @Test("This process is found; a process that does not exist is not")
  func processes() throws {
    #expect(try #require(RunningProgram.own).process == getpid())
    #expect(RunningProgram.own?.isReplaced == false)
    #expect(RunningProgram(process: 0) == nil)
  }
}
