import Foundation
import TestSupport
import Testing

/// Tests of the data-control protocol.
///
/// The other suites test copies and pastes on `Display.ext`.
@Suite(.serialized) struct DataControlTests {
  @Test func theBridgeEndsIfTheCompositorEndsDuringItsStart() async throws {
    let desk = try await ClipboardDesk(.ext)
    desk.kill(.bridge)
    try desk.shell("kill -USR2 ${WAYLAND_DISPLAY##*-}")
    #expect(try ClipboardDesk.startBridge(desk.environment).nextLine() == "1")
  }

  @Test func theBridgeEndsWithTheSeat() async throws {
    let desk = try await ClipboardDesk(.ext)
    let owner = try desk.own(try desk.type("text/html", "x"))
    try await desk.untilRows(1)
    try desk.shell("kill -USR1 ${WAYLAND_DISPLAY##*-}")
    #expect(desk.bridge.nextLine() == "1")
    owner.kill()
  }
}
