import TestSupport
import Testing

@Suite("dragboard, with invalid input and failing streams")
struct MisuseTests {
  @Test("A command without standard streams reports an error, and writes to no other descriptor")
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

  @Test("A text that is not UTF-8 is refused")
  func encoding() throws {
    let stage = try CommandStage()
    for line in ["add $'a\\xff'", "edit 0 --text $'\\xe9'", "list --board $'\\xe9'"] {
      let result = try stage.shell("bash -c \"dragboard \(line)\"")
      #expect(result.status == .exited(64), "\(line)")
      #expect(result.errors.hasPrefix("Error: argument "), "\(line): \(result.errors)")
    }
    #expect(try stage.rows() == [])
  }

  @Test("A full disk is reported with its own exit code")
  func fullDisk() throws {
    let stage = try CommandStage()
    try stage.output("add", "a")
    for command in ["list", "list --json", "get 0", "boards", "apply --print"] {
      let result = try stage.shell("dragboard \(command) >/dev/full")
      #expect(result.status == .exited(74), "\(command)")
      #expect(result.errors.contains("No space left"), "\(command): \(result.errors)")
    }
  }

  @Test("If the reader closes the output, the command ends without a message")
  func closedPipe() throws {
    let stage = try CommandStage()
    let result = try stage.shell(
      "seq 20000 | dragboard add --lines >/dev/null; dragboard list | head -n 1")
    #expect(result.output.hasSuffix("\t1\n"))
    #expect(result.errors == "")
  }

  @Test("After a drop that cannot succeed, the drag is still active")
  func vainDrops() throws {
    let stage = try CommandStage()
    try stage.output("drag", "--detach", "--as", "org.example", "text")
    try stage.expect(66, "drop", "--into", "/nonexistent", naming: "/nonexistent")
    try stage.expect(74, "drop", "--into", "/dev/null", naming: "/dev/null")
    try stage.expect(66, "drop", "--stdout", "--type", "image/png", naming: "image/png")
    try stage.expect(64, "drop", "--stdout", "--type", "nonsense", naming: "nonsense")
    #expect(try stage.output("drop", "--stdout") == "text")
  }

  @Test(
    "An error about a missing object has its number, and the command that lists the existing objects"
  )
  func absence() throws {
    let stage = try CommandStage()
    try stage.expect(66, "cancel", "99", naming: "drag 99 does not exist")
    try stage.expect(66, "types", "--session", "99", naming: "dragboard sessions")
    try stage.expect(66, "view", "show", "99", naming: "view 99 does not exist")
    try stage.expect(66, "view", "close", "99", naming: "dragboard view list")
    try stage.output("add", "a")
    try stage.expect(66, "get", "0", "--type", "image/png", naming: "dragboard types")
  }

  @Test("An error about a missing bus names the option --address")
  func address() throws {
    let stage = try CommandStage()
    try stage.expect(
      69, "list", "--address", "unix:path=/nonexistent", naming: "--address unix:path=/nonexistent")
    try stage.expect(69, "list", "--address", "nonsense", naming: "--address nonsense")
  }

  @Test("A number that is too large for the daemon is refused")
  func numbers() throws {
    let stage = try CommandStage()
    try stage.expect(
      64, "board", "set", "default", "--max-rows", "4294967296", naming: "--max-rows")
    #expect(try stage.objects("boards")[0]["max_rows"] as? Int == 0)
    try stage.output("board", "set", "default", "--max-rows", "4294967295")
    #expect(try stage.objects("boards")[0]["max_rows"] as? Int == 4_294_967_295)
  }

  @Test("A board without accepted types forbids every drop, until it accepts a type again")
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
