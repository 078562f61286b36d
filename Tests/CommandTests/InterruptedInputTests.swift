import DragboardClient
import Files
import Foundation
import TestSupport
import Testing

@testable import dragboard

@Suite("Input that a signal interrupts")
struct InterruptedInputTests {
  @Test(
    "The first signal ends a command that waits for input",
    arguments: ["--stdin", "--lines"], [SIGINT, SIGTERM, SIGHUP])
  func firstSignal(option: String, signal: Int32) throws {
    let stage = try CommandStage()
    #expect(try stage.shell("mkfifo pipe").status == .exited(0))
    let pipe = stage.folder.appending(path: "pipe").path
    let add = try ChildProcess(
      "bash", ["-c", "exec \"$0\" add \(option) < \(pipe)", try builtProduct("dragboard")],
      environment: stage.daemon.bus.environment)
    let writer = try FileHandle(opening: pipe, O_WRONLY)
    // When this write returns, the command has read enough to make room in the pipe.
    try writer.write(contentsOf: Data(repeating: UInt8(ascii: "\n"), count: 200_000))
    add.kill(signal)
    #expect(add.waitForExit() == .exited(128 + signal))
    #expect(try stage.rows() == [])
    try writer.close()
  }

  @Test("The end of a pipe after a signal is not the end of the input")
  func endAfterSignal() throws {
    let bus = try PrivateBus()
    // The writing end is closed at once.
    let reading = try FileDescriptor.makePipe().reading
    let descriptor = withExtendedLifetime(reading) { fcntl(reading.number, F_DUPFD_CLOEXEC, 0) }
    #expect(throws: Interrupted.self) {
      try DragboardConnection.run(to: bus.address, isInterruptible: true) { _ in
        // The threads of a test block signals, but this thread must receive SIGTERM.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(SIGTERM)
        #expect(throws: Failure.interrupted(SIGTERM)) {
          try InputFile(descriptor, name: "the pipe", isOwned: true).bytes()
        }
      }
    }
  }
}
