import TestSupport
import Testing

@Suite("dragboard, misused")
struct MisuseTests {
  @Test("A command that was started without its streams says so, and writes to nobody else")
  func closedStreams() throws {
    let stage = try CommandStage()
    try stage.output("add", "a", "b")
    let list = try stage.shell("dragboard list >&-")
    #expect(list.status == .exited(74))
    #expect(list.errors == "Error: write: Bad file descriptor\n")
    let add = try stage.shell("dragboard add --stdin <&-")
    #expect(add.status == .exited(74))
    #expect(add.errors == "Error: standard input: Bad file descriptor\n")
    #expect(try stage.shell("dragboard list >&- 2>&- <&-").status == .exited(74))
    #expect(try stage.rows() == ["0 a", "1 b"])
  }

  @Test("A text that is not UTF-8 is refused: it would be another text")
  func encoding() throws {
    let stage = try CommandStage()
    for line in ["add $'a\\xff'", "edit 0 --text $'\\xe9'", "list --board $'\\xe9'"] {
      let result = try stage.shell("bash -c \"dragboard \(line)\"")
      #expect(result.status == .exited(64), "\(line)")
      #expect(result.errors.hasPrefix("Error: argument "), "\(line): \(result.errors)")
    }
    #expect(try stage.rows() == [])
  }

  @Test("A full disk is reported, and has an exit code of its own")
  func fullDisk() throws {
    let stage = try CommandStage()
    try stage.output("add", "a")
    for command in ["list", "list --json", "get 0", "boards", "apply --print"] {
      let result = try stage.shell("dragboard \(command) >/dev/full")
      #expect(result.status == .exited(74), "\(command)")
      #expect(result.errors.contains("No space left"), "\(command): \(result.errors)")
    }
  }

  @Test("A reader that goes ends the command, without a word")
  func closedPipe() throws {
    let stage = try CommandStage()
    let result = try stage.shell(
      "seq 20000 | dragboard add --lines >/dev/null; dragboard list | head -n 1")
    #expect(result.output.hasSuffix("\t1\n"))
    #expect(result.errors == "")
  }

  @Test("A drop that cannot come to anything leaves the drag to others")
  func vainDrops() throws {
    let stage = try CommandStage()
    try stage.output("drag", "--detach", "--as", "org.example", "text")
    try stage.expect(66, "drop", "--into", "/nonexistent", naming: "/nonexistent")
    try stage.expect(74, "drop", "--into", "/dev/null", naming: "/dev/null")
    try stage.expect(66, "drop", "--stdout", "--type", "image/png", naming: "image/png")
    try stage.expect(64, "drop", "--stdout", "--type", "nonsense", naming: "nonsense")
    #expect(try stage.output("drop", "--stdout") == "text")
  }

  @Test("A missing object is reported with its number and the command that lists the others")
  func absence() throws {
    let stage = try CommandStage()
    try stage.expect(66, "cancel", "99", naming: "drag 99 does not exist")
    try stage.expect(66, "types", "--session", "99", naming: "dragboard sessions")
    try stage.expect(66, "view", "show", "99", naming: "view 99 does not exist")
    try stage.expect(66, "view", "close", "99", naming: "dragboard view list")
    try stage.output("add", "a")
    try stage.expect(66, "get", "0", "--type", "image/png", naming: "dragboard types")
  }

  @Test("A missing bus is reported with the option that named it")
  func address() throws {
    let stage = try CommandStage()
    try stage.expect(
      69, "list", "--address", "unix:path=/nonexistent", naming: "--address unix:path=/nonexistent")
    try stage.expect(69, "list", "--address", "nonsense", naming: "--address nonsense")
  }

  @Test("A number that the daemon cannot hold is refused, not cut")
  func numbers() throws {
    let stage = try CommandStage()
    try stage.expect(
      64, "board", "set", "default", "--max-rows", "4294967296", naming: "--max-rows")
    #expect(try stage.objects("boards")[0]["max_rows"] as? Int == 0)
    try stage.output("board", "set", "default", "--max-rows", "4294967295")
    #expect(try stage.objects("boards")[0]["max_rows"] as? Int == 4_294_967_295)
  }

  @Test("A board that accepts nothing forbids every drop, until it accepts something again")
  func acceptingNothing() throws {
    let stage = try CommandStage()
    try stage.output("board", "set", "default", "--accept-nothing")
    try stage.output("drag", "--detach", "--as", "org.example", "text")
    let proposal = try stage.run("propose")
    #expect(proposal.output.hasPrefix("forbidden"))
    #expect(proposal.errors.contains("it accepts no drops"))
    try stage.output("board", "set", "default", "--accept", "text/*")
    #expect(try stage.output("propose").hasPrefix("copy"))
    try stage.expect(64, "board", "set", "default", "--accept", "*/*", "--accept-nothing")
  }

  @Test("An error contains no escape sequences, even if its argument does")
  func harmlessErrors() throws {
    let stage = try CommandStage()
    let result = try stage.run("list", "--section", "\u{1B}[31m\u{202E}")
    #expect(result.status == .exited(66))
    #expect(!result.errors.unicodeScalars.contains("\u{1B}"))
    #expect(!result.errors.unicodeScalars.contains("\u{202E}"))
  }
}
