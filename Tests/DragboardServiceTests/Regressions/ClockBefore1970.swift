import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@testable import dragboardd

@Suite("Regression: a clock before 1970 ended the daemon")
struct ClockBefore1970 {
  @Test(
    "Impossible times become the nearest time that can be stored",
    arguments: [
      (-1, 0), (Int.min, 0), (0, 0), (1, 1_000_000),
      (18_446_744_073_709, 18_446_744_073_709_000_000),
      (18_446_744_073_710, .max), (Int.max, .max),
    ] as [(Int, UInt64)])
  func clamped(seconds: Int, microseconds: UInt64) {
    #expect(WallClock.microseconds(of: timespec(tv_sec: seconds, tv_nsec: 0)) == microseconds)
  }

  @Test("The last microsecond that can be represented does not overflow")
  func nanoseconds() {
    let last = timespec(tv_sec: 18_446_744_073_709, tv_nsec: 999_999_999)
    #expect(WallClock.microseconds(of: last) == .max)
    #expect(WallClock.microseconds(of: timespec(tv_sec: 0, tv_nsec: -1)) == 0)
  }

  @Test(
    "At any time of the clock, the daemon and the command insert, list, recover and show ages",
    arguments: [-1, -1 << 40, 1 << 40, 1 << 45])
  func everything(seconds: Int) throws {
    let shim = try Shim("calendar")
    let calendar = ["LD_PRELOAD": shim.library, "CALENDAR_SECONDS": "\(seconds)"]
    let daemon = try Daemon([], environment: calendar)
    let client = try daemon.client()
    try client.insert(["text"])
    try client.drop(client.drag(["dropped"]))
    let environment = daemon.bus.environment.merging(calendar) { $1 }
    for arguments in [["list"], ["list", "--json"], ["show", "0"], ["doctor"]] {
      let result = try run(try builtProduct("dragboard"), arguments, environment: environment)
      if case .signalled = result.status { Issue.record("\(arguments): \(result.status)") }
      #expect(arguments == ["doctor"] || result.status.isSuccess, "\(arguments): \(result.errors)")
    }
    daemon.kill()
    try Data().write(to: daemon.bus.home.appending(path: "data/dragboard/damaged"))
    try daemon.start(environment: calendar)
    #expect(try daemon.client().texts() == ["text", "dropped"])
  }
}
