import DragboardClient
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
    let writer = try #require(FileHandle(forWritingAtPath: pipe))
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
    let pipe = Foundation.Pipe()
    try pipe.fileHandleForWriting.close()
    let descriptor = dup(pipe.fileHandleForReading.fileDescriptor)
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
