import CLinux
import DBus
import DragboardInterface
import Files
import Foundation
import TestSupport
import Testing

@Suite("Loads into a pipe of the destination")
struct PipeLoadTests {
  private static let limit = 1 << 20

  @Test(
    "More bytes than every limit arrive in order, and the daemon's memory and disk stay the same")
  func unlimited() throws {
    let fixture = try PromiseFixture(
      "--max-representation-bytes", "\(Self.limit)", "--max-session-bytes", "\(Self.limit)")
    let session = try fixture.source.drag(
      type: "application/octet-stream", [.gives(pattern(8 * Self.limit))])
    try fixture.accept(session)
    let load = try PipeLoad(of: session, by: fixture.dropper)
    #expect(load.errors() == [""])
    #expect(load.bytes() == pattern(8 * Self.limit))
    _ = fixture.client.takeSignals()
    try fixture.dropper.finish(session)
    #expect(
      fixture.client.takeWords() == [
        "DidTransferItems [0] []", "DidEnd copy", "DragEnded \(session.element) org.source copy",
      ])
    #expect(fixture.log.loads.count == 1)
  }

  @Test("The destination gets the bytes while the source still writes, and both see the progress")
  func streaming() throws {
    let fixture = try PromiseFixture()
    let session = try fixture.source.drag(
      type: "a/b", [[.write([1, 2]), .wait("more"), .write([3, 4]), .close, .reply]])
    try fixture.source.run { client in
      try client.call(DragSessionInterface.setExpectedSize, at: session, 0, "a/b", 4)
    }
    try fixture.accept(session)
    let load = try PipeLoad(of: session, by: fixture.dropper)
    #expect(load.waitForBytes(2) == [1, 2])
    #expect(load.outstanding.answered == 0)
    #expect(
      fixture.client.connection.loop.wait {
        (try? fixture.client.get(DragSessionInterface.progress, at: session)) == 0.5
      })
    fixture.log.open("more")
    #expect(load.errors() == [""])
    #expect(load.bytes() == [1, 2, 3, 4])
  }

  @Test("A failing source ends the pipe, and the reply has the reason")
  func failures() throws {
    for (steps, name, words) in [
      (.refuses("no such luck"), "LoadFailed", "no such luck"),
      ([.write([1]), .close, .refuse("too late")], "LoadFailed", "too late"),
      ([.write([1]), .waitForBrokenPipe], "LoadFailed", "load-timeout"),
      ([.leave], "LoadFailed", "left the bus"),
    ] as [([LoadStep], String, String)] {
      let fixture = try PromiseFixture("--load-timeout", "0.5")
      let session = try fixture.source.drag(type: "a/b", [steps])
      try fixture.accept(session)
      let load = try PipeLoad(of: session, by: fixture.dropper)
      #expect(load.errors() == [name])
      guard case .failure(let error)? = load.outstanding.answers[0] else { continue }
      #expect(error.message.contains(words), "\(error)")
      #expect(load.bytes().count <= 1)
    }
  }

  @Test("While the destination does not read, the source waits longer than the load timeout")
  func slowDestination() throws {
    let fixture = try PromiseFixture("--load-timeout", "0.3")
    let session = try fixture.source.drag(type: "a/b", [.gives(pattern(8 * Self.limit))])
    try fixture.accept(session)
    let load = try PipeLoad(of: session, by: fixture.dropper, isReading: false)
    // Other loads reach the timeout meanwhile.
    let other = try fixture.source.drag(type: "a/b", [.silent])
    let client = try fixture.daemon.client()
    try client.accept(other)
    for _ in 0..<3 {
      #expect(try PipeLoad(of: other, by: client).errors() == ["LoadFailed"])
    }
    fixture.dropper.waitForBus()
    #expect(load.outstanding.answered == 0)
    load.read()
    #expect(load.errors() == [""])
    #expect(load.bytes() == pattern(8 * Self.limit))
  }

  @Test("A destination that never reads gets LoadFailed after the session timeout")
  func unread() throws {
    let fixture = try PromiseFixture("--load-timeout", "0.2", "--session-timeout", "0.6")
    let session = try fixture.source.drag(type: "a/b", [.gives(pattern(8 * Self.limit))])
    try fixture.accept(session)
    let load = try PipeLoad(of: session, by: fixture.dropper, isReading: false)
    #expect(load.errors() == ["LoadFailed"])
    #expect(fixture.log.waitForBrokenPipes(1))
  }

  @Test("If the destination closes the pipe or leaves, or the session ends, the source gets EPIPE")
  func ends() throws {
    let fixture = try PromiseFixture()
    for way in 0..<3 {
      let session = try fixture.source.drag(type: "a/b", [[.write([1]), .trickle]])
      let destination = try fixture.daemon.client()
      try destination.accept(session)
      let load = try PipeLoad(of: session, by: destination, isReading: false)
      #expect(fixture.log.waitForLoads(way + 1))
      switch way {
      case 0:
        load.close()
        #expect(load.errors() == ["IOError"])
      case 1: destination.leave()
      default:
        try fixture.source.run { try $0.call(DragSessionInterface.cancel, at: session) }
        #expect(load.errors() == ["SessionEnded"])
      }
      #expect(fixture.log.waitForBrokenPipes(way + 1))
    }
  }

  @Test("Only the client that accepted the drop may load by a pipe, and only a promise")
  func refusals() throws {
    let fixture = try PromiseFixture()
    let session = try fixture.source.drag(type: "a/b", [.gives([1])])
    func errors(_ client: BusClient, _ item: UInt32 = 0, _ type: String = "*/*") throws -> [String]
    {
      try PipeLoad(of: session, item, type, by: client).errors()
    }
    #expect(try errors(fixture.dropper) == ["AccessDenied"])
    #expect(try errors(fixture.dropper, 0, "nonsense") == ["InvalidArgs"])
    try fixture.dropper.accept(session)
    #expect(try errors(fixture.dropper, 7) == ["NoSuchItem"])
    #expect(try errors(fixture.dropper, 0, "c/d") == ["NoSuchRepresentation"])
    let stranger = try fixture.daemon.client()
    #expect(try errors(stranger) == ["AccessDenied"])
    for file in [try TestFile.sealed([1]), FileDescriptor(adopting: open("/dev/null", O_WRONLY))] {
      expect(.invalidArgs, naming: "fd", "pipe") {
        try fixture.dropper.call(DragSessionInterface.loadToPipe, at: session, 0, "*/*", file)
      }
    }
    #expect(fixture.log.loads.isEmpty)

    let text = try fixture.client.drag(["x"], as: "")
    try fixture.dropper.accept(text)
    let load = try PipeLoad(of: text, by: fixture.dropper)
    #expect(load.errors() == ["InvalidArgs"])
    #expect(load.bytes() == [])
  }

  @Test("Each call starts its own load; a stored load of the same promise is not disturbed")
  func separate() throws {
    let fixture = try PromiseFixture()
    let session = try fixture.source.drag(type: "a/b", [.gives("once")])
    try fixture.accept(session)
    #expect(try fixture.load(session) == Array("once".utf8))
    let loads = try (0..<2).map { _ in try PipeLoad(of: session, by: fixture.dropper) }
    for load in loads {
      #expect(load.errors() == [""])
      #expect(load.bytes() == Array("once".utf8))
    }
    #expect(try fixture.load(session) == Array("once".utf8))
    #expect(fixture.log.loads.count == 3)
  }
}

/// A call of LoadToPipe, and the pipe that receives the bytes.
///
/// Unchecked, because a lock protects the bytes.
private final class PipeLoad: @unchecked Sendable {
  let outstanding: Outstanding
  private var reading: FileDescriptor?
  private let condition = NSCondition()
  private var received: [UInt8] = []
  private var hasEnded = false

  init(
    of session: ObjectPath, _ item: UInt32 = 0, _ type: String = "*/*", by client: BusClient,
    isReading: Bool = true
  ) throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    reading = FileDescriptor(adopting: ends[0])
    let writing = FileDescriptor(adopting: ends[1])
    outstanding = client.send([
      call(DragSessionInterface.loadToPipe, at: session, item, type, writing)
    ])
    if isReading { read() }
  }

  /// Starts to read on another thread.
  func read() {
    guard let reading else { return }
    Thread.detachNewThread { [self] in
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = Foundation.read(reading.number, &piece, piece.count), count > 0 {
        condition.withLock {
          received += piece[..<count]
          condition.broadcast()
        }
      }
      condition.withLock {
        hasEnded = true
        condition.broadcast()
      }
    }
  }

  func close() { reading = nil }

  func errors() -> [String] { outstanding.errors() }

  /// Waits for the end of the pipe, and returns all bytes.
  func bytes() -> [UInt8] { wait { hasEnded } }

  /// Waits for some bytes.
  func waitForBytes(_ count: Int) -> [UInt8] { wait { received.count >= count } }

  private func wait(for isDone: () -> Bool) -> [UInt8] {
    let deadline = Date(timeIntervalSinceNow: 30)
    return condition.withLock {
      while !isDone(), condition.wait(until: deadline) {}
      #expect(isDone())
      return received
    }
  }
}
