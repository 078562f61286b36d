import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("The progress of loading")
struct PendingProgressTests {
  private static let piece = pattern(10_000)

  /// Begins a drag of two promises of ten pieces each; the test opens the pieces one after the
  /// other.
  private func begin(_ fixture: PromiseFixture) throws -> ObjectPath {
    _ = try fixture.client.call(BoardInterface.setAcceptedTypes, ["image/png"])
    let pieces = [[UInt8]](repeating: Self.piece, count: 10)
    let session = try fixture.source.drag(
      type: "image/png", [.slow(pieces), .refuses("no"), .slow(pieces)])
    for item: UInt32 in [0, 2] {
      _ = try fixture.client.call(
        DragSessionInterface.setExpectedSize, at: session, item, "public.png", 100_000)
    }
    _ = fixture.client.takeSignals()
    return session
  }

  @Test("DropPending reports a progress that never falls, and at the end no rows")
  func pending() throws {
    let fixture = try PromiseFixture()
    let session = try begin(fixture)
    let drop = fixture.dropper.beginDrop(session)
    var notices = [try fixture.client.nextPending()]
    #expect(notices[0].description == "3 to 0.0, 0.0")
    for piece in 1..<10 {
      fixture.log.open("\(piece)")
      let next = try fixture.client.nextPending {
        $0.progress > notices.last.map(\.progress) ?? 1
      }
      notices.append(next)
    }
    _ = try drop.dropResult()
    notices += try fixture.client.takeSignals().pending
    #expect(notices.last?.description == "0 to 0.0, 1.0")
    #expect(notices.dropLast().allSatisfy { $0.count > 0 })
    #expect(notices.map(\.count) == notices.map(\.count).sorted(by: >))
    #expect(notices.map(\.progress) == notices.map(\.progress).sorted())
    #expect(notices.allSatisfy { (0...1).contains($0.progress) })
  }

  @Test("Progress of the session reports the loads, and ends with 1 when the drop is made")
  func property() throws {
    let fixture = try PromiseFixture()
    let session = try begin(fixture)
    let drop = fixture.dropper.beginDrop(session)
    #expect(fixture.log.waitForLoads(3))
    for piece in 1..<10 { fixture.log.open("\(piece)") }
    _ = try drop.dropResult()
    let values = try fixture.client.takeChanges(of: "Progress", at: session)
    let progress = values.compactMap { if case .double(let value) = $0 { value } else { nil } }
    #expect(progress == progress.sorted())
    #expect(progress.last == 1)
    #expect(progress.allSatisfy { (0...1).contains($0) })
    #expect(try fixture.client.get(DragSessionInterface.progress, at: session) == 1)
  }

  @Test("The progress is the fraction of the expected bytes, for loads of clients and of boards")
  func client() throws {
    let fixture = try PromiseFixture()
    let session = try begin(fixture)
    try fixture.accept(session)
    let load = fixture.dropper.send([call(DragSessionInterface.loadData, at: session, 0, "*/*")])
    var progress = 0.0
    for (piece, expected) in [(1, 0.2), (2, 0.3), (3, 0.4)] {
      fixture.log.open("\(piece)")
      while progress < expected {
        let change = fixture.client.next("PropertiesChanged")
        guard change.path == session.text else { continue }
        if case .double(let value)? = try change.changedProperties["Progress"] { progress = value }
      }
      #expect(progress == expected)
    }
    for piece in 4..<10 { fixture.log.open("\(piece)") }
    #expect(load.errors() == [""])
  }

  @Test("The last DropPending has the position after many edits and pieces")
  func lastPosition() throws {
    let fixture = try PromiseFixture()
    _ = try fixture.client.call(BoardInterface.setAcceptedTypes, ["image/png"])
    let count = 100
    let session = try fixture.source.drag(
      type: "image/png", [.slow([[UInt8]](repeating: [1], count: count))])
    _ = try fixture.client.call(
      DragSessionInterface.setExpectedSize, at: session, 0, "image/png", UInt64(count))
    _ = fixture.client.takeSignals()
    let drop = fixture.dropper.beginDrop(session)
    for piece in 1..<count {
      // Each edit moves the position, too.
      try fixture.client.insert(["x"], at: 0)
      fixture.log.open("\(piece)")
    }
    _ = try drop.dropResult()
    #expect(try fixture.client.takeSignals().pending.last?.row == UInt32(count - 1))
  }
}
