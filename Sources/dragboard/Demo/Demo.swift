import ArgumentParser
import Glibc

struct Demo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Demonstrate a drag, a drop, a move and a restart on a private bus.",
    discussion: """
      Start a private D-Bus bus, and dragboardd with a temporary data directory. Then call Dragboard \
      with dbus-send, and print every command, its reply, the signals, and the board after each step. \
      The demonstration needs no session bus and no desktop, and removes all its files.

      Exit codes: 0 if every step succeeded; 1 if a step failed or a program is missing; 128 plus the \
      signal's number if a signal ended the demonstration.

      EXAMPLES:
        dragboard demo
        dragboard demo --json | jq -r .command
      """)

  @Flag(help: "Print JSON instead, one object per line for each step.")
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
