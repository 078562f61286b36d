import ArgumentParser
import Glibc

struct Demo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Play a drag, a drop, a move and a restart, on a bus of its own.",
    discussion: """
      Starts a private D-Bus bus and dragboardd on a temporary folder, then plays with dbus-send \
      what Dragboard is for, and shows every command, its reply, the signals, and the board after \
      each step. Needs no session bus and no desktop, and leaves nothing behind.

      Exit codes: 0 every step gave what it should; 1 one did not, or something is missing; \
      128 and the signal's number where one ended it.

      EXAMPLES:
        dragboard demo
        dragboard demo --json | jq -r .command
      """)

  @Flag(help: "Print one JSON object for each step, one to a line, instead.")
  var json = false

  func run() throws {
    do throws(Failure) {
      try play()
    } catch .interrupted(let signal) {
      throw ExitCode(128 + signal)
    } catch .outputClosed {
      throw ExitCode.failure
    } catch {
      throw error
    }
  }

  private func play() throws(Failure) {
    let format: DemoFormat = json ? .json : .text(colours: Console.hasColours)
    let stage = try DemoStage()
    try Console.write(format.opening)
    let script = DemoScript(on: stage) { step throws(Failure) in
      try Console.write(format.step(step))
    }
    do throws(Failure) {
      try script.play()
    } catch .unexpected(let what, let expected, let actual) {
      Console.writeError(stage.log)
      throw .unexpected(what: what, expected: expected, actual: actual)
    }
  }
}
