import Foundation
import TestSupport
import Testing

@Suite("dragboard, in terminals")
struct TerminalTests {
  static let bar = "█"
  static let clearing = "\r\u{1B}[K"

  @Test("While a file of 100 MB is dropped, both terminals show the progress")
  func largeFile() throws {
    let stage = try CommandStage()
    #expect(
      try stage.shell("head -c 100000000 /dev/urandom > large.bin; mkfifo pipe").status
        == .exited(0))
    let drag = try stage.terminal("drag", "--file", "\(stage.folder.path)/large.bin")
    #expect(drag.shown(until: "1\r\n") != nil)
    let drop = try stage.terminal(running: "sh", ["-c", "dragboard drop --stdout > pipe"])
    let pipe = try FileHandle(opening: stage.folder.appending(path: "pipe").path, O_RDONLY)
    // The drop waits after half of the bytes, until both bars have been shown.
    var bytes = Data()
    while bytes.count < 50_000_000 {
      bytes += try #require(try pipe.read(upToCount: 50_000_000 - bytes.count))
    }
    #expect(drop.shown(until: "loading \(Self.bar)") != nil)
    #expect(drag.shown(until: "loading \(Self.bar)") != nil)
    bytes += try #require(try pipe.readToEnd())
    let (dropped, progress) = drop.waitForExit()
    #expect(dropped == .exited(0))
    #expect(progress.hasSuffix(Self.clearing))
    let (dragged, shown) = drag.waitForExit()
    #expect(dragged == .exited(0))
    #expect(shown.hasSuffix("\(Self.clearing)copied 1 item\r\n"))
    #expect(try bytes == Data(contentsOf: stage.folder.appending(path: "large.bin")))
  }

  @Test("A slow promise has a progress bar on a terminal, but not in a pipe")
  func slowPromise() throws {
    let stage = try CommandStage()
    try stage.output("board", "set", "default", "--accept", "text/plain")
    let gate = stage.folder.appending(path: "gate").path
    #expect(try stage.shell("mkfifo gate").status == .exited(0))
    let drag = try stage.start(
      "drag", "--exec", "head -c 5000; cat \(gate)", "--type", "text/plain")
    #expect(drag.nextLine() != nil)
    let drop = try stage.terminal("drop")
    #expect(drop.shown(until: "loading ") != nil)
    #expect(try stage.shell("echo end > gate").status == .exited(0))
    #expect(drop.waitForExit().status == .exited(0))
    #expect(drag.waitForExit() == .exited(0))
    #expect(drag.text(of: .errors) == "")
  }

  @Test(
    "Ctrl-C and closing the terminal cancel the drag and end its promised command",
    arguments: [SIGINT, SIGHUP])
  func interruptedDrag(signal: Int32) throws {
    let stage = try CommandStage()
    let command = try RunningCommand(on: stage)
    let drag = try stage.terminal(
      "drag", "--exec", command.line, "--as", "org.example.Notes", "--type",
      "text/plain;charset=utf-8")
    #expect(drag.shown(until: "1\r\n") != nil)
    let drop = try stage.start("drop")
    #expect(command.hasBegun())
    if signal == SIGINT { drag.type("\u{3}") } else { drag.kill(signal) }
    #expect(drag.waitForExit().status == .exited(128 + signal))
    #expect(drop.waitForExit() == .exited(77))
    command.waitForEnd()
    #expect(try stage.rows() == [])
    #expect(try stage.lines("sessions") == [])
  }

  @Test("Ctrl-C in the terminal of the drop cancels the load, and leaves no file")
  func interruptedDrop() throws {
    let stage = try CommandStage()
    let command = try RunningCommand(on: stage)
    let drag = try stage.start(
      "drag", "--exec", command.line, "--type", "application/x-tar", "--name", "a.tar")
    #expect(drag.nextLine() != nil)
    let folder = stage.folder.appending(path: "into").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let drop = try stage.terminal("drop", "--into", folder)
    #expect(command.hasBegun())
    drop.type("\u{3}")
    #expect(drop.waitForExit().status == .exited(130))
    #expect(drag.waitForExit() == .exited(77))
    command.waitForEnd()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  @Test("Ctrl-C ends a command whose output is not read")
  func interruptedWriting() throws {
    let stage = try CommandStage()
    #expect(
      try stage.shell("head -c 300000 /dev/zero | dragboard add --stdin --type a/b").status
        == .exited(0))
    let pipe = stage.folder.appending(path: "pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let get = try stage.terminal("get", "0", "--output", pipe)
    let reader = open(pipe, O_RDONLY | O_CLOEXEC)
    defer { close(reader) }
    var byte: UInt8 = 1
    #expect(read(reader, &byte, 1) == 1)
    get.type("\u{3}")
    #expect(get.waitForExit().status == .exited(130))
  }

  @Test("When the daemon is killed while a drop loads, both terminals report it")
  func killedDaemon() throws {
    let stage = try CommandStage()
    let command = try RunningCommand(on: stage)
    let drag = try stage.terminal("drag", "--exec", command.line, "--type", "application/x-tar")
    #expect(drag.shown(until: "1\r\n") != nil)
    let drop = try stage.terminal("drop", "--stdout", "--force")
    #expect(command.hasBegun())
    stage.daemon.kill()
    for (status, shown) in [drag.waitForExit(), drop.waitForExit()] {
      #expect(status == .exited(69))
      #expect(shown.contains("Error: "))
    }
    command.waitForEnd()
  }

  @Test("A table fits the terminal, and has colours unless NO_COLOR is set")
  func table() throws {
    let stage = try CommandStage()
    try stage.output("add", "A text that is much longer than a narrow terminal can ever show")
    let coloured = try stage.terminal("list", environment: ["NO_COLOR": ""], columns: 60)
      .waitForExit().shown
    #expect(coloured.contains("\u{1B}[2m"))
    let plain = try stage.terminal("list", environment: ["NO_COLOR": "1"], columns: 60)
      .waitForExit().shown
    #expect(plain.contains("…"))
    #expect(!plain.contains("\u{1B}"))
    #expect(plain.components(separatedBy: "\r\n").allSatisfy { $0.count <= 60 }, "\(plain)")
  }
}

/// The command of a drag with `--exec`: it reports its start and runs until it is killed.
private struct RunningCommand {
  /// The argument of `--exec`.
  let line: String
  private let listener: ChildProcess

  init(on stage: CommandStage) throws {
    let pipe = stage.folder.appending(path: "running").path
    #expect(mkfifo(pipe, 0o600) == 0)
    line = "exec 3> \(pipe); echo begun >&3; sleep 1000"
    listener = try ChildProcess("cat", [pipe])
  }

  /// Waits until the command runs.
  func hasBegun() -> Bool { listener.nextLine() == "begun" }

  /// Waits until the command and the processes that it started have ended.
  func waitForEnd() { #expect(listener.waitForExit() == .exited(0)) }
}
