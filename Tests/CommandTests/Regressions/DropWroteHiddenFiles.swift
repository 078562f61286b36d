import Foundation
import TestSupport
import Testing

@Suite("Regression: a source could create hidden files by the names of its items")
struct DropWroteHiddenFiles {
  /// Suggested names and the files that a drop must make of them.
  static let files: [(suggested: String, file: String)] = [
    (".bash_profile", "_bash_profile"), (".env", "_env"), ("-rf", "_rf"), ("--help", "_-help"),
    ("../../x", "_._.._x"), ("a/b", "a_b"), ("..", "_."), (".", "_"), ("c\\d", "c_d"),
    ("\u{202E}cod.exe", "cod.exe"), ("e\u{200B}\u{2066}f\u{2028}g", "efg"), ("~", "~"),
    (" \u{FEFF}.profile\u{A0}", "_profile"), ("same.txt", "same.txt"), ("same.txt", "same-2.txt"),
    ("same\u{200D}.txt", "same-3.txt"), ("", "item-17.txt"), ("\u{3164} \u{200F}", "item-18.txt"),
    (String(repeating: "🦀", count: 248) + ".tar.gz", String(repeating: "🦀", count: 62) + ".tar.gz"),
    (String(repeating: "🦀", count: 251) + ".png", String(repeating: "🦀", count: 62) + ".png"),
    (String(repeating: "🦀", count: 250) + ".png", String(repeating: "🦀", count: 62) + "-2.png"),
  ]

  @Test("Each item becomes a visible file with a safe name of its own inside the directory")
  func names() throws {
    let stage = try CommandStage()
    let into = try drop(Self.files.map(\.suggested), on: stage)
    #expect(into.paths == Self.files.map { "\(into.directory)/\($0.file)" })
    let made = try FileManager.default.contentsOfDirectory(atPath: into.directory)
    #expect(Set(made) == Set(Self.files.map(\.file)))
    #expect(try FileManager.default.contentsOfDirectory(atPath: stage.folder.path) == ["into"])
    for (index, file) in Self.files.enumerated() {
      let text = try String(contentsOfFile: "\(into.directory)/\(file.file)", encoding: .utf8)
      #expect(text == "text \(index)", "\(file)")
    }
  }

  @Test("A drop neither follows nor replaces a symbolic link with the name of an item")
  func links() throws {
    let stage = try CommandStage()
    let into = stage.folder.appending(path: "into")
    try FileManager.default.createDirectory(at: into, withIntermediateDirectories: true)
    #expect(symlink("../outside", into.appending(path: "name").path) == 0)
    let dropped = try drop(["name"], on: stage)
    #expect(dropped.paths == ["\(into.path)/name-2"])
    #expect(Set(try FileManager.default.contentsOfDirectory(atPath: stage.folder.path)) == ["into"])
  }

  @Test("The umask determines the mode of new files, which are not executable")
  func modes() throws {
    let stage = try CommandStage()
    try stage.output("drag", "x", "--name", "run.sh", "--as", "org.example.Notes", "--detach")
    let result = try stage.shell("umask 027; dragboard drop --into . >&2; stat -c %a run.sh")
    #expect(result.output == "640\n", "\(result.errors)")
  }

  @Test("If a link replaces the directory during the drop, the files still go to the directory")
  func replacedDirectory() throws {
    let stage = try CommandStage()
    #expect(try stage.shell("mkdir into elsewhere && mkfifo begun gate").status == .exited(0))
    let path = stage.folder.path
    let listener = try ChildProcess("cat", ["\(path)/begun"])
    let drag = try stage.start(
      "drag", "--exec", "echo begun > \(path)/begun; cat \(path)/gate", "--name", "file")
    #expect(drag.nextLine() != nil)
    let drop = try stage.start("drop", "--into", "\(path)/into")
    #expect(listener.nextLine() == "begun")
    let swap = try stage.shell("mv into before && ln -s elsewhere into && echo content > gate")
    #expect(swap.status == .exited(0))
    #expect(drop.waitForExit() == .exited(0))
    #expect(try String(contentsOfFile: "\(path)/before/file", encoding: .utf8) == "content\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(path)/elsewhere") == [])
  }

  /// Drags a text under each name and drops them all into a directory.
  private func drop(
    _ names: [String], on stage: CommandStage
  ) throws -> (directory: String, paths: [String]) {
    let directory = stage.folder.appending(path: "into").path
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true)
    for (index, name) in names.enumerated() {
      let name = name.isEmpty ? [] : ["--name=\(name)"]
      let source =
        index == 0 ? ["--detach", "--as", "org.example.Notes"] : ["--add-to", "1"]
      #expect(try stage.lines(["drag", "text \(index)"] + name + source).count == 1)
    }
    return (directory, try stage.lines("drop", "--into", directory))
  }
}
