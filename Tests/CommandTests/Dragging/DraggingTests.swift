import Foundation
import TestSupport
import Testing

@Suite("dragboard, dragging")
struct DraggingTests {
  @Test("A drag stays active until it is dropped, and both commands print the outcome")
  func drop() throws {
    let stage = try CommandStage()
    let drag = try stage.start("drag", "one", "two")
    let number = try #require(drag.nextLine())
    #expect(try stage.output("propose") == "copy\t0:0\n")
    #expect(try stage.lines("types", "--session", number).count == 2)
    #expect(try stage.lines("sessions").map { $0.split(separator: "\t")[2] } == ["active"])
    #expect(try stage.lines("drop", number).count == 2)
    #expect(drag.nextLine() == "copied 2 items")
    #expect(drag.waitForExit() == .exited(0))
    #expect(try stage.rows() == ["0 one", "1 two"])
  }

  @Test("A promised command runs only once, when the drag is dropped")
  func promise() throws {
    let stage = try CommandStage()
    let ran = stage.folder.appending(path: "ran").path
    let drag = try stage.start(
      "drag", "--exec", "echo once >> \(ran); echo made", "--type", "text/plain;charset=utf-8",
      "--name", "a/b.txt")
    #expect(drag.nextLine() != nil)
    #expect(try stage.lines("types", "--session", "1") == ["0\ttext/plain;charset=utf-8"])
    #expect(!FileManager.default.fileExists(atPath: ran))
    let path = try stage.lines("drop", "--into", stage.folder.path)
    #expect(path == ["\(stage.folder.path)/a_b.txt"])
    #expect(try String(contentsOfFile: path[0], encoding: .utf8) == "made\n")
    #expect(try String(contentsOfFile: ran, encoding: .utf8) == "once\n")
    #expect(drag.nextLine() == "copied 1 item")
  }

  @Test("If a promised command fails, the drop fails and inserts no row")
  func failingPromise() throws {
    let stage = try CommandStage()
    let drag = try stage.start(
      "drag", "--exec", "exit 3", "--type", "text/plain;charset=utf-8")
    #expect(drag.nextLine() != nil)
    try stage.expect(77, "drop", naming: "exited with status 3")
    #expect(drag.waitForExit() == .exited(77))
    #expect(try stage.rows() == [])
  }

  @Test("A large file is dragged and dropped completely into a directory")
  func largeFile() throws {
    let stage = try CommandStage()
    #expect(try stage.shell("head -c 5000000 /dev/urandom > large.bin").status == .exited(0))
    let drag = try stage.start(
      "drag", "--file", stage.folder.appending(path: "large.bin").path)
    #expect(drag.nextLine() != nil)
    let path = try stage.lines("drop", "--into", stage.folder.path)
    #expect(path == ["\(stage.folder.path)/large-2.bin"])
    #expect(try stage.shell("cmp large.bin large-2.bin").status == .exited(0))
    #expect(drag.waitForExit() == .exited(0))
  }

  @Test("A drag with --detach is dropped later by any client, or cancelled")
  func detached() throws {
    let stage = try CommandStage()
    try stage.output("drag", "--detach", "--as", "org.example.Notes", "one", "two")
    #expect(try stage.output("drop", "--stdout") == "one\ntwo\n")
    try stage.output("drag", "--detach", "--as", "org.example.Notes", "three")
    try stage.output("propose", "--exit")
    try stage.output("cancel")
    try stage.expect(66, "drop", naming: "no drag is active")
    try stage.expect(66, "drop", "99")
    try stage.expect(64, "drag", "--detach", "four", naming: "--as")
    try stage.expect(
      64, "drag", "--detach", "--as", "org.example.Notes", "--exec", "true", naming: "--detach")
  }

  @Test("Items are added to a running drag, and its permissions are changed")
  func additions() throws {
    let stage = try CommandStage()
    let drag = try stage.start("drag", "--as", "org.example.Notes", "one")
    #expect(drag.nextLine() == "1")
    #expect(try stage.output("drag", "--add-to", "1", "two", "three") == "1\n")
    let added = try stage.objects("drag", "--add-to", "1", "--also", "text/html=<b>4</b>")[0]
    #expect(added["first"] as? Int == 3)
    #expect(try stage.output("drag", "--add-to", "1", "--restricted", "--no-move") == "")
    try stage.expect(64, "drag", "--add-to", "1", "--exec", "true", naming: "--add-to")
    try stage.expect(64, "drag", "--add-to", "1", "--row", "0", naming: "--add-to")
    try stage.expect(66, "drag", "--add-to", "9", "four")
    let reason = "only the source of the drag, org.example.Notes, can drop it"
    for destination in [[], ["--into", "."], ["--stdout"]] {
      let result = try stage.run(["drop", "--as", "org.example.Mail"] + destination)
      #expect(result.status == .exited(77))
      #expect(result.errors.contains(reason), "\(result.errors)")
    }
    #expect(try stage.run("propose").errors.contains(reason))
    #expect(try stage.lines("drop", "--as", "org.example.Notes").count == 4)
    #expect(drag.waitForExit() == .exited(0))
    try stage.expect(77, "drag", "--add-to", "1", "late")
  }

  @Test("If one application drags and drops rows, they move")
  func move() throws {
    let stage = try CommandStage()
    try stage.output("add", "a", "b", "c")
    let drag = try stage.start("drag", "--row", "2", "--as", "org.example.Shelf")
    #expect(drag.nextLine() != nil)
    try stage.output("drop", "--as", "org.example.Shelf", "--to", "0")
    #expect(drag.nextLine() == "moved 1 item")
    #expect(try stage.rows() == ["0 c", "1 a", "2 b"])
    let held = try stage.start("drag", "--row", "0", "--as", "org.example.Shelf", "--no-move")
    #expect(held.nextLine() != nil)
    try stage.expect(77, "drop", "--as", "org.example.Shelf", "--to", "2")
    #expect(held.waitForExit() == .exited(77))
  }

  @Test("An item can have several types")
  func types() throws {
    let stage = try CommandStage()
    let drag = try stage.start(
      "drag", "plain", "--also", "text/html;charset=utf-8=<b>bold</b>", "--also",
      "application/json=!echo 1")
    #expect(drag.nextLine() != nil)
    #expect(
      try stage.lines("types", "--session", "1") == [
        "0\ttext/html;charset=utf-8", "0\tapplication/json", "0\ttext/plain;charset=utf-8",
      ])
    #expect(try stage.output("drop", "--stdout", "--type", "text/html") == "<b>bold</b>")
  }

  @Test("A forbidden drop names the refused types and the remedy, and the drag stays available")
  func forbidden() throws {
    let stage = try CommandStage()
    try stage.output("board", "add", "to do")
    try stage.output("board", "set", "to do", "--accept", "text/plain", "--accept", "audio/*")
    let drag = try stage.start("drag", "--also", "text/html=x", "--also", "image/png=x")
    #expect(drag.nextLine() != nil)
    let reason = """
      the drop of drag 1 is forbidden: the board 'to do' does not accept text/html, image/png \
      (it accepts text/plain, audio/*)
      To accept every type: dragboard board set 'to do' --accept '*/*'

      """
    let proposal = try stage.run("propose", "--board", "to do")
    #expect(proposal.status == .exited(0))
    #expect(proposal.output == "forbidden\t0:0\n")
    #expect(proposal.errors == reason)
    let drop = try stage.run("drop", "--board", "to do")
    #expect(drop.status == .exited(77))
    #expect(drop.errors == "Error: \(reason)")
    #expect(try stage.objects("sessions")[0]["state"] as? String == "active")
    let remedy = try #require(reason.components(separatedBy: "every type: ").last)
    #expect(try stage.shell(remedy).status == .exited(0))
    #expect(try stage.lines("drop", "--board", "to do").count == 1)
    #expect(drag.waitForExit() == .exited(0))
  }

  @Test("If the board accepts the types, a forbidden drop has another reason")
  func otherReasons() throws {
    let stage = try CommandStage()
    let drag = ["drag", "--detach", "--as", "org.example.Notes"]
    for (line, reason) in [
      (drag + ["--visibility", "team", "x"], "only items that every application may load"),
      (drag + ["--row", "0"], "a row was deleted from the board, or cannot be moved"),
    ] {
      try stage.output("add", "row")
      _ = try stage.lines(line)
      try stage.output("lock", "--position", "0")
      try stage.expect(77, "drop", "--as", "org.example.Notes", naming: reason)
      try stage.output("cancel")
    }
  }

  @Test(
    "Ctrl-C and closing the terminal cancel a drag",
    arguments: [SIGINT, SIGTERM, SIGHUP])
  func interrupted(signal: Int32) throws {
    let stage = try CommandStage()
    let drag = try stage.start("drag", "--as", "org.example.Notes", "one")
    #expect(drag.nextLine() != nil)
    drag.kill(signal)
    #expect(drag.waitForExit() == .exited(128 + signal))
    #expect(try stage.lines("sessions") == [])
  }

  @Test("If a file's name has a line break, the item has a name without line breaks")
  func lineBreakInName() throws {
    let stage = try CommandStage()
    let path = stage.folder.appending(path: "a b\nc.txt").path
    try "content".write(toFile: path, atomically: true, encoding: .utf8)
    try stage.output("drag", "--file", path, "--as", "org.example.Notes", "--detach")
    try stage.expect(64, "drop", "--into", "", naming: "--into")
    let folder = stage.folder.appending(path: "into").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(try stage.output("drop", "--into", folder) == "\(folder)/a b_c.txt\n")
  }

  @Test("A drop on a full board is forbidden, and the error has the remedy")
  func noRoom() throws {
    let stage = try CommandStage()
    try stage.output("add", "a", "b")
    try stage.output("board", "set", "default", "--max-rows", "2")
    try stage.output("drag", "c", "--as", "org.example.Notes", "--detach")
    try stage.expect(77, "drop", naming: "--max-rows")
  }

  @Test("When the daemon is killed, a running drag reports it")
  func daemonKilled() throws {
    let stage = try CommandStage()
    let drag = try stage.start("drag", "one")
    #expect(drag.nextLine() != nil)
    stage.daemon.kill()
    #expect(drag.waitForExit() == .exited(69))
    #expect(drag.text(of: .errors).contains("the daemon left the bus"))
  }

  @Test("With --json a drag and a drop print their events as objects")
  func json() throws {
    let stage = try CommandStage()
    let drag = try stage.start("drag", "--json", "one")
    #expect(drag.nextLine() == "{\"event\":\"began\",\"session\":1}")
    let proposal = try stage.objects("propose")[0]
    #expect(proposal["operation"] as? String == "copy")
    #expect(proposal["can_handle"] as? Bool == true)
    let added = "{\"event\":\"items-added\",\"session\":1,\"first\":0,\"count\":1}"
    #expect(drag.nextLine() == added)
    let proposed = try #require(drag.nextLine())
    #expect(proposed.hasPrefix("{\"event\":\"proposed\",\"session\":1,\"application\":\":"))
    #expect(
      proposed.hasSuffix(
        "\"board\":\"/org/dragboard/Dragboard1/board/default\",\"operation\":\"copy\",\"section\":0,\"row\":0}"
      ))
    try stage.output("propose", "--exit")
    #expect(drag.nextLine()?.hasPrefix("{\"event\":\"exited\",\"session\":1,") == true)
    #expect(try stage.objects("drop")[0]["operation"] as? String == "copy")
    #expect(drag.nextLine() == "{\"event\":\"will-end\",\"session\":1,\"operation\":\"copy\"}")
    #expect(
      drag.nextLine()
        == "{\"event\":\"ended\",\"session\":1,\"operation\":\"copy\",\"loaded\":[0],\"failed\":[]}"
    )
  }

  @Test("A view stores a selection, and restores it after edit mode")
  func views() throws {
    let stage = try CommandStage()
    let ids = try stage.lines("add", "a", "b", "c")
    let view = try stage.lines("view", "open", "--as", "org.example.Shelf")[0]
    try stage.output("view", "select", view, "1")
    #expect(try stage.lines("view", "show", view) == [ids[1]])
    try stage.output("view", "editing", view, "on")
    try stage.expect(77, "view", "select", view, "0")
    try stage.output("remove", "1")
    try stage.output("view", "editing", view, "off")
    #expect(try stage.lines("view", "reselect", view) == [ids[2]])
    try stage.output("view", "set", view, "--multiple")
    try stage.output("view", "select", view, "0", "1")
    let shown = try stage.objects("view", "show", view)[0]
    #expect(shown["selection"] as? [String] == [ids[0], ids[2]])
    #expect(shown["allows_multiple_selection"] as? Bool == true)
    try stage.output("view", "deselect", view)
    #expect(try stage.output("view", "reselect", "--prepare", view) == "")
    try stage.output("view", "close", view)
    try stage.expect(66, "view", "show", view)
  }
}
