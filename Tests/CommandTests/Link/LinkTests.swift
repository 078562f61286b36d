import Foundation
import TestSupport
import Testing

@Suite("dragboard link")
struct LinkTests {
  @Test("The subcommands run dragboard-link with the same words, and pass on its exit code")
  func words() throws {
    let stage = try CommandStage()
    try stage.isolateCommand()
    for line in [
      "setup nats://server --ca 'a b' --user ada --password-file=p --name anna", "invite",
      "join - --name bert", "share 'the board'", "unshare work", "status --json",
      "server tls://new --ca c", "remove bert", "leave --offline",
    ] {
      let result = try stage.run(
        "link \(line)", with: "dragboard-link", #"printf '%s\n' "$@"; exit 78"#)
      #expect(result.output == (try stage.shell(#"printf '%s\n' \#(line)"#).output))
      #expect(result.status == .exited(78))
      #expect(result.errors == "")
    }
  }

  @Test("remove completes the names of the other machines")
  func completion() throws {
    let stage = try CommandStage()
    try stage.isolateCommand()
    let request = "__complete 'dragboard link remove '"
    func candidates(_ script: String) throws -> String {
      let result = try stage.run(request, with: "dragboard-link", script)
      #expect(result.status == .exited(0))
      #expect(result.errors == "")
      return result.output
    }
    let machines = #"["anna","bert","$(touch made)","carl"]"#
    let status = #"{"machine":"bert","machines":\#(machines),"running":true,"boards":[]}"#
    #expect(
      try candidates(#"[ "$*" = 'status --json' ] && echo '\#(status)'"#) == "words\nanna\ncarl\n")
    // Without the server, the names are unknown.
    let offline = #"{"machine":"bert","running":true,"boards":[],"error":"silent"}"#
    #expect(try candidates("echo '\(offline)'; echo 'Error: silent' >&2; exit 69") == "words\n")
    #expect(try candidates("echo 'Error: link: not in a group' >&2; exit 77") == "words\n")
  }

  @Test("dragboard-link reads standard input")
  func input() throws {
    let stage = try CommandStage()
    try stage.isolateCommand()
    let result = try stage.run("link join - <<< line", with: "dragboard-link", "cat")
    #expect(result.output == "line\n")
    #expect(result.status == .exited(0))
  }

  @Test("Invalid arguments are refused without dragboard-link, and its absence has a remedy")
  func missing() throws {
    let stage = try CommandStage()
    try stage.isolateCommand()
    let absent = try stage.shell("PATH=bin dragboard link status")
    #expect(absent.status == .exited(66))
    #expect(
      absent.errors == """
        Error: dragboard-link is not installed
        To build and install it: packaging/install --help

        """)
    for line in ["link setup", "link share a b", "link status --jsn", "link run"] {
      #expect(try stage.shell("PATH=bin dragboard \(line)").status == .exited(64), "\(line)")
    }
  }
}
