import Foundation
import TestSupport
import Testing

@Suite("dragboard, reading")
struct ReadingTests {
  @Test("list prints a line for each row, with tabs between its fields")
  func list() throws {
    let stage = try CommandStage()
    let ids = try stage.lines("add", "one", "two\nthree")
    let lines = try stage.lines("list").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)
    }
    #expect(lines.map(\.count) == [6, 6])
    #expect(lines.map { String($0[0]) } == ["0", "1"])
    #expect(lines.map { String($0[1]) } == ids)
    #expect(lines.map { String($0[2]) } == Array(repeating: "text/plain;charset=utf-8", count: 2))
    #expect(lines.map { String($0[5]) } == ["one", "two"])
  }

  @Test("list prints only a number of rows or one section if an option requests it")
  func someRows() throws {
    let stage = try CommandStage()
    try stage.output("section", "add", "later")
    try stage.output("add", "a", "b", "c", "d")
    try stage.output("add", "--at", "later:", "x", "y")
    #expect(try stage.rows() == ["0 a", "1 b", "2 c", "3 d", "later:0 x", "later:1 y"])
    #expect(try stage.rows("--from", "1", "--count", "2") == ["1 b", "2 c"])
    #expect(try stage.rows("--section", "later") == ["later:0 x", "later:1 y"])
    #expect(try stage.rows("--section", "1", "--count", "1") == ["later:0 x"])
    try stage.expect(66, "list", "--section", "never", naming: "never")
  }

  @Test("list prints all rows of a board with several pages")
  func pages() throws {
    let stage = try CommandStage()
    #expect(try stage.shell("seq 2500 | dragboard add --lines").status == .exited(0))
    let rows = try stage.rows()
    #expect(rows == (0..<2_500).map { "\($0) \($0 + 1)" })
  }

  @Test(
    "If rows are deleted while list waits for its reader, list prints each other row once",
    arguments: [1_900, 3_900, 4_900])
  func deletedRows(end: Int) throws {
    let stage = try CommandStage()
    // The pipe holds fewer rows than are deleted first, and list has read pages before the deletion.
    let result = try stage.shell(
      #"""
      seq 0 7999 | dragboard add --lines > /dev/null
      dragboard list | {
        IFS= read -r line && printf '%s\n' "$line"
        dragboard remove --quiet $(seq 0 899) $(seq \#(end) 7999)
        cat
      } | cut -f 6
      """#)
    #expect(result.errors == "")
    let printed = result.output.split(separator: "\n").compactMap { Int($0) }
    #expect(printed == Array(Set(printed)).sorted())
    #expect(Set(printed).isSuperset(of: 900..<end))
  }

  @Test("If the reader closes the output, list ends without a message")
  func closedOutput() throws {
    let stage = try CommandStage()
    let result = try stage.shell(
      "seq 2500 | dragboard add --lines > /dev/null; dragboard list | head -n 1 | cut -f 6")
    #expect(result.output == "1\n")
    #expect(result.errors == "")
  }

  @Test("With --json, every reading command prints one object per line")
  func json() throws {
    let stage = try CommandStage()
    let id = try stage.lines("add", "say \"hi\"\tü")[0]
    let row = try #require(try stage.objects("list").first)
    #expect(row["preview"] as? String == "say \"hi\"\tü")
    #expect(row["id"] as? String == id)
    #expect(row["row"] as? Int == 0)
    #expect(row["types"] as? [String] == ["text/plain;charset=utf-8"])
    #expect(row["editable"] as? Bool == true)
    #expect(row["pinned"] as? Bool == false)
    #expect(try stage.objects("show", "0")[0]["text"] as? String == "say \"hi\"\tü")
    #expect(try stage.objects("types", "0")[0]["id"] as? String == id)
    #expect(try stage.objects("boards")[0]["rows"] as? Int == 1)
    #expect(try stage.objects("sessions").isEmpty)
    #expect(try stage.objects("status")[0]["running"] as? Bool == true)
    #expect(try stage.objects("section")[0]["name"] as? String == "main")
    #expect(try stage.objects("search", "hi")[0]["id"] as? String == id)
  }

  @Test("show prints everything about a row, with its whole text")
  func show() throws {
    let stage = try CommandStage()
    let id = try stage.lines("add", "one\ntwo")[0]
    try stage.output("pin", "0")
    try stage.output("lock", "--position", "0")
    #expect(try stage.output("list").contains("\tpf\t"))
    #expect(try stage.objects("list")[0]["pinned"] as? Bool == true)
    let shown = try stage.output("show", "0")
    for fact in [
      "row     0\n", "id      \(id)\n", "section main\n", "size    7 B\n", "pinned  yes\n",
      "fixed   yes\n",
    ] {
      #expect(shown.contains(fact), "\(fact)")
    }
    #expect(shown.hasSuffix("\none\ntwo\n"))
  }

  @Test("get writes the bytes unchanged to standard output and to a file")
  func get() throws {
    let stage = try CommandStage()
    let line = """
      head -c 300000 /dev/urandom > sent.bin && dragboard add --file sent.bin > /dev/null \
      && dragboard get 0 | cmp - sent.bin && dragboard get 0 --output got.bin && cmp got.bin sent.bin
      """
    let result = try stage.shell(line)
    #expect(result.status == .exited(0), "\(result.output)\(result.errors)")
    try stage.expect(66, "get", "0", "--type", "image/png")
    try stage.expect(66, "get", "0", "--output", "/nonexistent/file", naming: "/nonexistent/file")
  }

  @Test("search finds rows by their words, and reports if no row is found")
  func search() throws {
    let stage = try CommandStage()
    try stage.output("add", "call the garage", "buy stamps", "garage sale")
    let found = try stage.lines("search", "garage").map { $0.split(separator: "\t").last ?? "" }
    #expect(found == ["call the garage", "garage sale"])
    try stage.expect(66, "search", "nothing", naming: "nothing")
  }

  @Test("watch prints edits and drags as they happen, until it is interrupted")
  func watch() throws {
    let stage = try CommandStage()
    let watch = try stage.start("watch", "--json")
    #expect(try event(of: watch)["event"] as? String == "board")
    let id = try stage.lines("add", "one")[0]
    let insert = try event(of: watch)
    #expect(insert["event"] as? String == "insert")
    #expect(insert["id"] as? String == id)
    #expect(insert["to"] as? String == "0:0")
    try stage.output("drag", "--detach", "--as", "org.example.Notes", "x")
    let began = try event(of: watch)
    #expect(began["event"] as? String == "drag-began")
    #expect(began["application"] as? String == "org.example.Notes")
    let dropped = try stage.lines("drop")
    var events: [String: [String: Any]] = [:]
    while events["drop-performed"] == nil || events["drag-ended"] == nil {
      let event = try event(of: watch)
      events[event["event"] as? String ?? ""] = event
    }
    #expect(events["drop-performed"]?["operation"] as? String == "copy")
    #expect(events["drop-performed"]?["ids"] as? [String] == dropped)
    stage.daemon.kill()
    while try event(of: watch)["event"] as? String != "daemon-left" {}
    watch.kill(SIGINT)
    #expect(watch.waitForExit() == .exited(130))
  }

  @Test("changes prints the changes since a revision")
  func changes() throws {
    let stage = try CommandStage()
    try stage.output("add", "a", "b")
    let revision = try #require(try stage.objects("boards")[0]["revision"] as? Int)
    try stage.output("move", "1", "--to", "0")
    let changes = try stage.objects("changes", "\(revision)")
    #expect(changes.map { $0["event"] as? String } == ["move"])
    #expect(changes[0]["revision"] == nil)
    try stage.expect(77, "changes", "0", naming: "dragboard list")
    try stage.expect(64, "changes", "999")
  }

  @Test("status starts no daemon, and reports if none runs")
  func status() throws {
    let stage = try CommandStage()
    #expect(try stage.output("status").contains("rows            0\n"))
    let limits = try #require(stage.objects("status")[0]["limits"] as? [String: Int])
    #expect(limits["max_representation_bytes"] == 256 << 20)
    #expect(
      try stage.lines("status").filter { $0.hasPrefix("max-r") || $0.hasPrefix("load") } == [
        "load-timeout                    30 s", "max-representation-bytes        256 MiB",
        "max-rows                        1000000",
      ])
    stage.daemon.kill()
    try stage.expect(69, "status")
    try stage.expect(69, "list", naming: "dragboard doctor")
    try stage.expect(69, "list", "--address", "unix:path=/nonexistent")
  }

  @Test("doctor reports faults and remedies")
  func doctor() throws {
    let stage = try CommandStage()
    let result = try stage.run("doctor", "--json")
    #expect(result.status == .exited(1))
    #expect(result.output.contains("\"subject\":\"daemon\",\"state\":\"good\""))
    #expect(result.output.contains("\"subject\":\"activation\",\"state\":\"bad\""))
    let lost = try stage.run("doctor", "--address", "unix:path=/nonexistent")
    #expect(lost.status == .exited(1))
    #expect(lost.output.contains("bad  bus"))
  }

  private func event(of process: ChildProcess) throws -> [String: Any] {
    let line = try #require(process.nextLine())
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
    return try #require(object as? [String: Any])
  }
}
