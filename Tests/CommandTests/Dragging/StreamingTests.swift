import Foundation
import TestSupport
import Testing

@Suite("Drags of any size between two commands")
struct StreamingTests {
  private func stage() throws -> CommandStage {
    try CommandStage("--max-representation-bytes", "1000000", "--max-session-bytes", "2000000")
  }

  @Test("A file, the output of a command and standard input exceed the limits of the daemon")
  func unlimited() throws {
    let stage = try stage()
    let made = try stage.shell("head -c 20000000 /dev/urandom > big.iso; mkdir out")
    #expect(made.status == .exited(0))
    let drop = "until dragboard drop --into out 2> /dev/null; do :; done; wait"
    for (drag, name) in [
      ("dragboard drag --file big.iso", "big.iso"),
      ("dragboard drag --exec 'cat big.iso' --name made.bin", "made.bin"),
      ("cat big.iso | dragboard drag --stdin --name piped.bin", "piped.bin"),
    ] {
      let result = try stage.shell("{ \(drag) & }; \(drop)")
      #expect(result.output.contains("copied 1 item"), "\(result.errors)")
      #expect(try stage.shell("cmp big.iso out/\(name)").status == .exited(0), "\(name)")
    }
    let copied = try stage.shell(
      """
      { dragboard drag --file big.iso > /dev/null & }
      until dragboard drop --stdout 2> /dev/null | cmp -s - big.iso; do :; done
      """)
    #expect(copied.status == .exited(0), "\(copied.errors)")
  }

  @Test("A drop of such a file on a board is refused, and the limit is named on both sides")
  func board() throws {
    let stage = try stage()
    #expect(try stage.shell("head -c 20000000 /dev/zero > big.iso").status == .exited(0))
    let drag = try stage.start("drag", "--file", stage.folder.appending(path: "big.iso").path)
    #expect(drag.nextLine() != nil)
    try stage.expect(77, "drop", naming: "max-representation-bytes")
    #expect(drag.waitForExit() == .exited(77))
    #expect(try stage.rows() == [])
  }

  @Test(
    "If a drag fails, both sides report the same reason",
    arguments: ["drop", "drop --stdout", "drop --into ."])
  func sameReason(drop: String) throws {
    let stage = try stage()
    let (drag, drop) = try errors(
      of: "dragboard drag --exec 'head -c 900000 /dev/zero; exit 3' --name x", "dragboard \(drop)",
      on: stage)
    let reason = "the command exited with status 3"
    #expect(drag == "Error: the drop failed: \(reason)\n")
    #expect(
      drop.hasPrefix("Error: ") && drop.hasSuffix(": the source reports: \(reason)\n"), "\(drop)")
  }

  @Test(
    "Both sides name the limit of a board", arguments: ["--file big.iso", "--exec 'cat big.iso'"])
  func sameLimit(drag: String) throws {
    let stage = try stage()
    #expect(try stage.shell("head -c 20000000 /dev/zero > big.iso").status == .exited(0))
    let (drag, drop) = try errors(of: "dragboard drag \(drag)", "dragboard drop", on: stage)
    for words in [drag, drop] {
      #expect(words.contains("max-representation-bytes"), "\(words)")
    }
  }

  /// Returns the standard errors of a drag and of its drop, which both fail.
  private func errors(
    of drag: String, _ drop: String, on stage: CommandStage
  ) throws -> (drag: String, drop: String) {
    let result = try stage.shell(
      """
      { \(drag) 2> drag.err > number & }
      until [ -s number ]; do sleep 0.01; done
      \(drop) 2> drop.err > /dev/null && exit 1
      ! wait -n
      """)
    #expect(result.status == .exited(0))
    return (try stage.shell("cat drag.err").output, try stage.shell("cat drop.err").output)
  }

  @Test("If the command of a drag fails, the incomplete file is removed")
  func failure() throws {
    let stage = try stage()
    let drag = try stage.start("drag", "--exec", "head -c 3000000 /dev/zero; exit 3", "--name", "x")
    #expect(drag.nextLine() != nil)
    try stage.expect(77, "drop", "--into", stage.folder.path, naming: "exited with status 3")
    #expect(drag.waitForExit() == .exited(77))
    #expect(try FileManager.default.contentsOfDirectory(atPath: stage.folder.path) == [])
  }

  @Test("A dropped reference has the name of its file")
  func link() throws {
    let stage = try stage()
    let result = try stage.shell(
      """
      mkdir out; touch 'a b%.webm'
      dragboard drag --link --file 'a b%.webm' --as org.example --detach > id
      dragboard drop --into out; cat out/*
      """)
    #expect(result.output.hasPrefix("out/a b%.webm.uri\nfile:///"), "\(result.errors)")
  }

  @Test("Both terminals show the progress")
  func progress() throws {
    let stage = try stage()
    let script =
      "head -c 3000000 /dev/zero; until test -e go; do sleep 0.05; done; head -c 1000000 /dev/zero"
    let drag = try stage.terminal(running: "dragboard", ["drag", "--exec", script, "--name", "x"])
    #expect(drag.shown(until: "Ctrl-C cancels it.") != nil)
    let drop = try stage.terminal(running: "dragboard", ["drop", "--into", "."])
    #expect(drop.shown(until: "iB …") != nil)
    #expect(drag.shown(until: "loading") != nil)
    #expect(try stage.shell("touch go").status == .exited(0))
    #expect(drop.shown(until: "./x") != nil)
    #expect(drag.shown(until: "copied 1 item") != nil)
  }
}
