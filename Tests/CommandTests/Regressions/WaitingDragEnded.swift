import Foundation
import TestSupport
import Testing

@Suite("Regression: a waiting drag ended after the session timeout")
struct WaitingDragEnded {
  @Test("A drag stays active as long as its command waits")
  func waiting() throws {
    let stage = try CommandStage("--session-timeout", "1")
    let drag = try stage.start("drag", "text")
    #expect(drag.nextLine() == "1")
    // `sessions` lists all objects, which does not restart the timeout of the drag.
    #expect(try stage.shell("sleep 3.5").status == .exited(0))
    #expect(drag.status == nil)
    #expect(try stage.output("drop", "1", "--stdout") == "text")
    #expect(drag.waitForExit() == .exited(0))
    #expect(drag.text(of: .output) == "1\ncopied 1 item\n")
  }

  @Test("A detached drag reports until when it lives, and ends then")
  func detached() throws {
    let stage = try CommandStage("--session-timeout", "2")
    let json = try stage.objects("drag", "text", "--as", "org.example", "--detach")[0]
    let until = try #require(json["active_until"] as? String)
    #expect(until.hasSuffix("Z"))
    let shown = try stage.terminal("drag", "text", "--as", "org.example", "--detach", columns: 200)
      .waitForExit().shown
    #expect(shown.contains("ends in 2 seconds"), "\(shown)")
    #expect(try stage.shell("sleep 3.5").status == .exited(0))
    #expect(try stage.lines("sessions") == [])
  }
}
