import Foundation
import TestSupport
import Testing

@Suite("The demonstration")
struct DemoTests {
  /// Returns the path of the script, and its arguments.
  private func demo(_ option: String...) throws -> (String, [String]) {
    let programs = URL(fileURLWithPath: try builtProduct("dragboard")).deletingLastPathComponent()
    return (try Language.python.program("demo"), option + [programs.path])
  }

  @Test("The demonstration ends with the last table, and leaves no files or processes")
  func text() throws {
    let home = try DemoHome()
    let (script, arguments) = try demo()
    let result = try run(script, arguments, environment: home.environment)
    #expect(result.status == .exited(0))
    #expect(result.errors == "")
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    let table = lines.suffix(8).map { $0.split(separator: " ").dropLast().joined(separator: " ") }
    #expect(
      table == [
        "board \"default\", revision", "section row text types",
        "0 main 0 Read the paper text/plain;charset=utf-8",
        "0 main 1 Call the garage text/plain;charset=utf-8",
        "0 main 2 Breakfast with Ada text/plain;charset=utf-8",
        "0 main 3 Return the library books text/plain;charset=utf-8",
        "0 main 4 Buy stamps text/plain;charset=utf-8", "",
      ])
    #expect(!result.output.contains("\u{1B}"), "no colours in a pipe")
    #expect(try home.isUnused)
  }

  @Test("With --json each step is an object, and the signals are in the order of the drags")
  func json() throws {
    let home = try DemoHome()
    let (script, arguments) = try demo("--json")
    let result = try run(script, arguments, environment: home.environment)
    #expect(result.status == .exited(0))
    let steps = try result.output.split(separator: "\n").map {
      try JSONDecoder().decode(Step.self, from: Data($0.utf8))
    }
    #expect(steps.map(\.number) == Array(1...8))
    #expect(steps.map(\.board.rows.count) == [0, 3, 3, 3, 5, 5, 5, 5])
    let drags = steps.dropFirst().dropLast().map { $0.events.compactMap(\.signal) }
    #expect(
      drags == [
        [], ["DragBegan"], [], ["DragEnded"], ["DragBegan", "DragEnded"],
        ["DragBegan", "DragEnded"],
      ])
    #expect(steps[7].board == steps[6].board)
    #expect(try home.isUnused)
  }

  @Test(
    "If the daemon does not start, its own message is printed, and no files or processes are left")
  func failingDaemon() throws {
    let home = try DemoHome()
    let programs = try home.install(daemon: "echo 'dragboardd: no such luck' >&2; exit 1")
    let result = try run(demo().0, [programs], environment: home.environment)
    #expect(result.status == .exited(1))
    #expect(result.errors.contains("dragboardd: no such luck\n"))
    #expect(try home.isUnused)
  }

  @Test(
    "A signal ends the demonstration, and no files or processes are left",
    arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func interrupted(signal: Int32) throws {
    let home = try DemoHome()
    // The daemon never acquires its name, so the demonstration waits in its first step.
    let programs = try home.install(daemon: "exec tail -f /dev/null")
    let demo = try ChildProcess(demo().0, [programs], environment: home.environment)
    #expect(demo.nextLine() != nil)
    demo.kill(signal)
    #expect(demo.waitForExit() == .exited(128 + signal))
    #expect(try home.isUnused)
  }

  @Test(
    "If the reader closes the output, the demonstration ends, and no files or processes are left")
  func closedOutput() throws {
    let home = try DemoHome()
    // The reader of the pipe closes it before the demonstration starts.
    let script = "mkfifo $1; (exec 3<$1) & exec 4>$1; wait; exec $2 $3 >&4"
    let (demo, arguments) = try demo()
    let result = try run(
      "bash", ["-c", script, "bash", home.unusedPath, demo] + arguments,
      environment: home.environment)
    #expect(result.status == .exited(1))
    #expect(result.errors == "")
    #expect(try home.isUnused)
  }

  @Test(
    "The error about a missing program has the command that installs it",
    arguments: [
      ("dbus-daemon", "dbus-daemon"), ("dbus-send", "dbus-bin"), ("dbus-monitor", "dbus-bin"),
    ])
  func missing(program: String, package: String) throws {
    let home = try DemoHome()
    var environment = home.environment
    environment["PATH"] = try home.folderOfPrograms(without: program)
    let (script, arguments) = try demo()
    let result = try run(script, arguments, environment: environment)
    #expect(result.status == .exited(1))
    #expect(result.output == "")
    #expect(
      result.errors
        == "Error: \(program): is missing; install it with: sudo apt-get install \(package)\n")
    #expect(try home.isUnused)
  }

  private struct Step: Decodable {
    struct Event: Decodable {
      let signal: String?
    }
    struct Board: Decodable, Equatable {
      struct Row: Decodable, Equatable {
        let section: Int
        let row: Int
        let text: String
        let types: [String]
        let id: String
      }
      let revision: Int
      let rows: [Row]
    }
    let number: Int
    let events: [Event]
    let board: Board
  }
}
