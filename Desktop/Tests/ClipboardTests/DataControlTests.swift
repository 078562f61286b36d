import Foundation
import TestSupport
import Testing

/// Tests of the data-control protocol.
///
/// The other suites test copies and pastes on `Display.ext`.
@Suite(.serialized) struct DataControlTests {
  @Test("The bridge ends if the compositor ends during its start")
  func theBridgeEndsIfTheCompositorEndsDuringItsStart() async throws {
    let desk = try await ClipboardDesk(.ext)
    desk.kill(.bridge)
    try desk.shell("kill -USR2 ${WAYLAND_DISPLAY##*-}")
    #expect(try ClipboardDesk.startBridge(desk.environment).nextLine() == "1")
  }

  @Test("The bridge ends with the seat") func theBridgeEndsWithTheSeat() async throws {
    let desk = try await ClipboardDesk(.ext)
    let owner = try desk.own(try desk.type("text/html", "x"))
    try await desk.untilRows(1)
    try desk.shell("kill -USR1 ${WAYLAND_DISPLAY##*-}")
    #expect(desk.bridge.nextLine() == "1")
    owner.kill()
  }
}
