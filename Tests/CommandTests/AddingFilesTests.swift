import Foundation
import TestSupport
import Testing

@Suite("Adding and dragging files")
struct AddingFilesTests {
  /// Returns a stage with files in its folder.
  private func stage(accepting type: String? = nil) throws -> CommandStage {
    let stage = try CommandStage()
    if let type { try stage.output("board", "set", "default", "--accept", type) }
    let made = try stage.shell("echo a > a.txt; echo '# b' > b.md; echo c > c.png; mkdir dir")
    #expect(made.status == .exited(0))
    return stage
  }

  @Test(
    "Several files, texts and standard input are added in one edit, and the files keep their names")
  func several() throws {
    let stage = try stage()
    let added = try stage.shell(
      "echo x | dragboard add note --stdin --file a.txt b.md --at 0 --file c.png")
    #expect(added.status == .exited(0), "\(added.errors)")
    #expect(added.output.split(separator: "\n").count == 5)
    let rows = try stage.objects("list")
    #expect(rows.map { $0["name"] as? String } == ["", "", "a.txt", "b.md", "c.png"])
    #expect(
      rows.map { ($0["types"] as? [String])?[0] } == [
        "text/plain;charset=utf-8", "text/plain;charset=utf-8", "text/plain;charset=utf-8",
        "text/markdown", "image/png",
      ])
    #expect(try stage.lines("sessions") == [])
    #expect(try stage.output("undo").contains("deleted 5 rows"))
    #expect(try stage.rows() == [])
  }

  @Test(
    "Files keep their names and modification times, and get --into and drop --into restore them",
    arguments: ["b.md", "b.md a.txt"])
  func attributes(files: String) throws {
    let stage = try stage()
    let result = try stage.shell(
      """
      touch -d '2001-02-03 04:05:06.789 UTC' \(files); mkdir out out2
      dragboard add --file \(files) > /dev/null
      dragboard drag --row 0 --as org.example --detach > /dev/null; dragboard drop --into out
      dragboard drag --file \(files) --detach > /dev/null; dragboard drop --into out2 > /dev/null
      TZ=UTC stat -c %y out/* out2/* | uniq
      """)
    #expect(
      result.output == "out/b.md\n2001-02-03 04:05:06.789000000 +0000\n", "\(result.errors)")
    let shown = try stage.output("show", "0")
    #expect(shown.contains("name    b.md\nchanged 2001-02-03T04:05:06.789000Z"), "\(shown)")
  }

  @Test("get --into writes rows, or the board, to new files with their names and times")
  func getInto() throws {
    let stage = try stage()
    let result = try stage.shell(
      """
      touch -d '2001-02-03 04:05:06.789 UTC' *.*; mkdir some all
      dragboard add --file a.txt b.md c.png > /dev/null; dragboard add --at 0 note > /dev/null
      dragboard section add later; dragboard add --at later: --file b.md > /dev/null
      dragboard get 3 1 --into some; dragboard get --into all; dragboard get 0 3 --into all
      TZ=UTC stat -c %y {some,all}/[abc]* | uniq -c; cmp c.png some/c.png; cat all/b-2.md all/i*
      """)
    #expect(
      result.output == """
        some/c.png
        some/a.txt
        all/item-1.txt
        all/a.txt
        all/b.md
        all/c.png
        all/b-2.md
        all/item-1-2.txt
        all/c-2.png
              7 2001-02-03 04:05:06.789000000 +0000
        # b
        notenote
        """, "\(result.errors)")
  }

  @Test("get --into writes nothing if a row or the directory does not exist")
  func getIntoNothing() throws {
    let stage = try stage()
    let folder = stage.folder.path
    #expect(try stage.output("get", "--into", folder) == "")
    try stage.output("add", "one", "two")
    try stage.expect(66, "get", "0", "7", "--into", folder, naming: "7")
    try stage.expect(66, "get", "--into", "\(folder)/no", naming: "\(folder)/no")
    for (words, argument) in [
      (["0", "1"], "row"), ([], "row"), (["0", "--json"], "--json"), (["--into", ""], "--into"),
      (["0", "--into", folder, "--output", "x"], "--output"),
      (["0", "--into", folder, "--force"], "--force"),
    ] {
      let result = try stage.daemon.run(builtProduct("dragboard"), ["get"] + words)
      #expect(result.status == .exited(64), "\(words)")
      #expect(result.errors.contains("Error: ") && result.errors.contains(argument))
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(files.sorted() == ["a.txt", "b.md", "c.png", "dir"])
  }

  @Test("rename changes the name by which a row is found and written to a file")
  func rename() throws {
    let stage = try stage()
    _ = try stage.shell("dragboard add --file c.png")
    try stage.output("rename", "0", "holiday.png")
    #expect(try stage.rows() == ["0 [holiday.png, 2 B]"])
    #expect(try stage.output("search", "holi").contains("holiday.png"))
    try stage.expect(64, "rename", "0", "a\u{1}b", naming: "U+0001")
    try stage.output("undo")
    #expect(try stage.rows() == ["0 [c.png, 2 B]"])
  }

  @Test("If one file cannot be added, no file is added")
  func none() throws {
    let stage = try stage()
    for (line, status, words) in [
      ("a.txt dir", 64, "dir: is a directory"), ("a.txt missing", 66, "missing"),
      ("a.txt b.md --type nonsense", 64, "a.txt"),
    ] {
      let result = try stage.shell("dragboard add --file \(line)")
      #expect(result.status == .exited(Int32(status)), "\(line)")
      #expect(result.errors.contains(words), "\(result.errors)")
    }
    #expect(try stage.shell("dragboard add --file dir").errors.contains("--link"))
    #expect(try stage.shell("dragboard drag --file dir").errors.contains("--link"))
    #expect(try stage.rows() == [])
    #expect(try stage.lines("sessions") == [])
  }

  @Test("If a board has no room for all files, no file is added")
  func noRoom() throws {
    let stage = try stage()
    try stage.output("board", "set", "default", "--max-rows", "1")
    let result = try stage.shell("dragboard add --file a.txt b.md")
    #expect(result.status == .exited(77))
    #expect(result.errors.contains("no room for 2 more rows (at most 1)"), "\(result.errors)")
    #expect(try stage.rows() == [])
  }

  @Test("The error about types that the board does not accept has the command that accepts them")
  func refusedTypes() throws {
    let stage = try stage(accepting: "text/plain")
    let result = try stage.shell("dragboard add --file a.txt b.md c.png")
    #expect(result.status == .exited(77))
    #expect(result.errors.contains("c.png: the board 'default' does not accept image/png"))
    #expect(result.errors.contains("it accepts text/plain"))
    // `add` inserts a single row without a drop.
    #expect(try stage.shell("dragboard add --file c.png").status == .exited(0))
    let remedy = try #require(result.errors.components(separatedBy: "every type: ").last)
    #expect(try stage.shell("dragboard add --file a.txt b.md").status == .exited(0))
    #expect(try stage.lines("types", "2") == ["text/plain;charset=utf-8"])
    #expect(try stage.shell(remedy).status == .exited(0))
    #expect(try stage.shell("dragboard add --file a.txt c.png").status == .exited(0))
  }

  @Test("A file above the limit is refused before it is sent, with its size and the remedy")
  func limit() throws {
    let daemon = try Daemon("--max-representation-bytes", "20000")
    let command = try builtProduct("dragboard")
    let path = daemon.bus.home.appending(path: "large.txt").path
    let configuration = daemon.bus.home.appending(path: "config/dragboard/config.toml").path
    let drag = ["drag", "--as", "org.example", "--detach"]
    for (size, words) in [
      (30_000, "\(path): too large: 29 KiB (at most 19 KiB)"),
      (20_001, "\(path): too large: 20001 B (at most 20000 B)"),
    ] {
      try Data(count: size).write(to: URL(fileURLWithPath: path))
      for line in [
        ["add", "--file", path], ["add", "a", "--file", path, path], drag + ["--file", path],
        drag + ["a", "--also", "image/png=@\(path)"],
      ] {
        let result = try daemon.run(command, line)
        #expect(result.status == .exited(77), "\(line)")
        #expect(
          result.errors == """
            Error: \(words)
            Raise max-representation-bytes in \(configuration) and restart the daemon. \
            Or use --link for a reference to the file.

            """)
      }
      #expect(try daemon.run(command, ["add", "--link", "--file", path]).status == .exited(0))
    }
    #expect(try daemon.run(command, ["list"]).output.split(separator: "\n").count == 2)
    #expect(try daemon.run(command, ["sessions"]).output == "")
  }

  @Test("A file and a pipe may have exactly as many bytes as the limit")
  func withinLimit() throws {
    let daemon = try Daemon("--max-representation-bytes", "20000")
    let environment = daemon.bus.environment.merging(["HOME": daemon.bus.home.path]) { $1 }
    let command = try builtProduct("dragboard")
    for (count, status) in [(20_000, 0), (20_001, 77)] as [(Int, Int32)] {
      for source in ["> x; \(command) add --file x", "| \(command) add --stdin --type a/b"] {
        let result = try TestSupport.run(
          "bash", ["-c", "cd; head -c \(count) /dev/zero \(source)"], environment: environment)
        #expect(result.status == .exited(status), "\(source): \(result.errors)")
        #expect(
          status == 0 || result.errors.contains("max-representation-bytes"), "\(result.errors)")
      }
    }
  }

  @Test("--link adds and drags references to files and directories")
  func links() throws {
    let stage = try stage()
    let result = try stage.shell(
      """
      touch 'a b%'; dragboard add --link --file dir 'a b%' > /dev/null
      dragboard get 0; dragboard get 1
      dragboard drag --link --file dir --as org.example --detach > /dev/null
      dragboard types --session 2; dragboard drop --stdout
      """)
    let real = try stage.shell("pwd -P").output.dropLast()
    #expect(
      result.output == """
        file://\(real)/dir\r
        file://\(real)/a%20b%25\r
        0\ttext/uri-list
        0\ttext/plain;charset=utf-8
        file://\(real)/dir\r

        """, "\(result.errors)")
    #expect(try stage.rows()[0] == "0 \(real)/dir")
    try stage.expect(64, "add", "--link", "text", naming: "--link")
    #expect(try stage.shell("dragboard add --link --file missing").status == .exited(66))
  }

  @Test(
    "On a terminal, a text that is the path of a file causes a warning", arguments: ["add", "drag"])
  func fileAsText(command: String) throws {
    let stage = try stage()
    let terminal = try stage.terminal(running: "dragboard", [command, "a.txt", "other"])
    let shown = terminal.shown(until: "dragboard \(command) --file a.txt")
    #expect(shown?.contains("a.txt was used as a text") == true)
    let silent = try stage.shell("dragboard add a.txt")
    #expect(silent.errors == "")
  }
}
