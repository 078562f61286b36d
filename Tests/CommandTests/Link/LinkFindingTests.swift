import Foundation
import TestSupport
import Testing

@Suite("The finding of doctor about the link")
struct LinkFindingTests {
  /// The finding of doctor if `dragboard-link status --json` prints these lines.
  private func finding(_ lines: String, exit: Int, _ stage: CommandStage) throws -> String? {
    let script = """
      [ "$*" = 'status --json' ] || exit 99
      cat <<'END'
      \(lines)
      END
      exit \(exit)
      """
    let output = try stage.run("doctor", with: "dragboard-link", script).output
    let found = output.split(separator: "\n").drop { !$0.contains("  link ") }.prefix(2)
    return found.map { $0.split(separator: " ").joined(separator: " ") }.joined(separator: " | ")
  }

  @Test("doctor reports the states of the link")
  func doctor() throws {
    let stage = try CommandStage()
    try stage.isolateCommand()
    let bare = try stage.shell("PATH=bin dragboard doctor").output
    #expect(bare.contains("--   link         the link is not installed\n"))
    let boards = #"[{"name":"a","pending":2},{"name":"b","pending":1}]"#
    let status = #""server":"nats://x","machine":"anna","boards":\#(boards)"#
    let machines = #""machines":["anna","bert"],"key":1"#
    let unit = "systemctl --user enable --now dragboard-link"
    for (lines, exit, expected) in [
      (
        "Error: link: this machine is not in a group", 77,
        "-- link this machine shares no boards | dragboard link --help"
      ),
      ("Error: config: other users can read it", 78, "bad link config: other users can read it"),
      (
        #"{\#(status),\#(machines),"running":true}"#, 0,
        "ok link anna shares 2 boards in a group of 2 machines; 3 edits to send"
      ),
      (
        #"{\#(status),\#(machines),"running":false}"#, 0,
        "-- link off: anna exchanges no edits; 3 edits to send | \(unit)"
      ),
      (
        #"{\#(status),"running":true,"error":"server: silent"}"# + "\nError: server: silent", 69,
        "-- link server: silent; 3 edits to send"
      ),
      (
        #"{\#(status),"running":true,"error":"server: altered"}"#, 1,
        "bad link server: altered; 3 edits to send"
      ),
      (
        #"{\#(status),"running":false,"error":"removed"}"#, 77,
        "bad link removed | dragboard link leave --offline"
      ),
      (
        #"{"machine":"anna","running":true,"boards":[{"name":"a","error":"disk full"}]}"#, 0,
        "bad link a: disk full"
      ),
      ("{}", 0, "bad link {}"),
    ] {
      #expect(try finding(lines, exit: exit, stage) == expected)
    }
  }
}
