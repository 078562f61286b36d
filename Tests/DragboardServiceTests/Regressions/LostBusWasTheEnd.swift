import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite(
  "Regression: a daemon that its bus disconnected exited with code 0")
struct LostBusWasTheEnd {
  private let bus: PrivateBus
  private let door: ChildProcess
  private let daemon: Daemon

  init() throws {
    bus = try PrivateBus()
    let socket = bus.home.path + "/run/door"
    door = try ChildProcess(
      "python3", [Shim.source("frontdoor.py"), socket, bus.home.path + "/run/bus"])
    try #require(door.nextLine() == "ready")
    daemon = try Daemon(["--address", "unix:path=\(socket)"], on: bus)
  }

  @Test("The daemon exits with code 1 if the bus still runs, so that its unit restarts it")
  func goesOn() throws {
    try daemon.client().insert(["kept"])
    door.kill(SIGUSR1)
    #expect(daemon.waitForExit() == .exited(1))
    try daemon.start()
    // The daemon connects to the bus through a relay, so the bus does not know the daemon's process.
    // Therefore the daemon's clients stay unidentified.
    #expect(try daemon.client().get(BoardInterface.count) == 1)
  }

  @Test("The daemon exits with code 0 if the bus has ended")
  func ended() throws {
    door.kill(SIGKILL)
    #expect(daemon.waitForExit() == .exited(0))
  }

  @Test("The daemon exits with code 0 if the bus hangs")
  func hangs() throws {
    door.kill(SIGUSR2)
    #expect(daemon.waitForExit() == .exited(0))
  }
}
