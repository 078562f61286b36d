import ShelfModel
import Testing

@Suite("A shelf at the screen's edge") struct EdgeTests {
  @Test("A shelf opens with the first reason, and closes some time after the last reason")
  func drawer() {
    var drawer = EdgeDrawer()
    let actions = [
      drawer.set(.drag, true), drawer.set(.pointer, true), drawer.set(.drag, false),
      drawer.set(.pointer, false),
    ]
    #expect(actions == [.open, nil, nil, .closeLater])
    #expect(drawer.isOpen)
    let closes = drawer.timePassed()
    #expect(closes && !drawer.isOpen)
  }

  @Test("A shelf stays open if a reason returns in time, or if another reason remains")
  func inTime() {
    var drawer = EdgeDrawer()
    let actions = [
      drawer.set(.pointer, true), drawer.set(.carrying, false), drawer.set(.pointer, false),
      drawer.set(.carrying, true),
    ]
    #expect(actions == [.open, nil, .closeLater, nil])
    let closes = drawer.timePassed()
    #expect(!closes && drawer.isOpen)
  }

  @Test("The user can close a shelf that has reasons to be open, and a new reason opens it")
  func dismissal() {
    var drawer = EdgeDrawer()
    let first = drawer.set(.keyboard, true)
    drawer.dismiss()
    #expect(first == .open && !drawer.isOpen)
    let actions = [drawer.set(.keyboard, false), drawer.set(.keyboard, true)]
    #expect(actions == [nil, .open])
  }

  @Test("A shelf is in the middle of the outermost side")
  func frames() throws {
    let left = EdgeFrame(x: 0, y: 100, width: 1000, height: 800)
    let right = EdgeFrame(x: 1000, y: 0, width: 1920, height: 1080)
    #expect(EdgeFrame.outermost(at: .left, of: [right, left]) == left)
    let outer = try #require(EdgeFrame.outermost(at: .right, of: [left, right]))
    #expect(
      EdgeFrame(at: .right, isOpen: false, of: outer)
        == EdgeFrame(x: 2910, y: 450, width: 10, height: 180))
    #expect(
      EdgeFrame(at: .left, isOpen: true, of: left)
        == EdgeFrame(x: 0, y: 180, width: 360, height: 640))
    #expect(EdgeFrame.outermost(at: .left, of: []) == nil)
  }

  @Test("A shelf beside the pointer is on the pointer's monitor, and does not cover the pointer")
  func besidePointer() {
    let monitor = EdgeFrame(x: 1000, y: 100, width: 800, height: 600)
    for x in stride(from: 1000, to: 1800, by: 100) {
      for y in stride(from: 100, to: 700, by: 100) {
        let frame = EdgeFrame(besideX: x, y: y, of: monitor)
        #expect(!frame.contains(x: x, y: y))
        #expect(monitor.contains(x: frame.x, y: frame.y))
        #expect(monitor.contains(x: frame.x + frame.width - 1, y: frame.y + frame.height - 1))
      }
    }
    #expect(
      EdgeFrame(besideX: 1100, y: 400, of: monitor)
        == EdgeFrame(x: 1124, y: 280, width: 320, height: 360))
  }
}
