import DBus
import DragboardInterface
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DragboardClient

@Suite("Promises, files and accepted drops, with the client library")
struct PromiseTests {
  private static let bytes = Array("promised".utf8)

  private struct Broken: Error, CustomStringConvertible {
    let description = "the printer is on fire"
  }

  @Test("A promise is fulfilled once, when the drag is dropped")
  func promise() async throws {
    let stage = try await Stage()
    let count = Atomic(0)
    let promise = Promise(expectedByteCount: Self.bytes.count) { writer in
      count.add(1, ordering: .relaxed)
      try writer.write(Self.bytes)
    }
    let item = DragItem([.init(.plainText, .promise(promise))])
    let drag = try await stage.dragboard.beginDrag([item])
    #expect(try await drag.session.types(ofItem: 0) == [.plainText])
    #expect(count.load(ordering: .relaxed) == 0)
    let other = try await stage.another().board(named: "default")
    let result = try await other.dropTarget.perform(drag.session.id)
    #expect(result.operation == .copy)
    #expect(try await other.texts(count: 2) == ["promised"])
    #expect(try await drag.outcome().loaded == [0])
    #expect(count.load(ordering: .relaxed) == 1)
  }

  @Test("If a promise throws an error, the load fails with its description")
  func brokenPromise() async throws {
    let stage = try await Stage()
    let item = DragItem([.init(.plainText, .promise(Promise { _ in throw Broken() }))])
    let drag = try await stage.dragboard.beginDrag([item])
    let error = await #expect(throws: DragboardError.self) {
      _ = try await stage.board.dropTarget.perform(drag.session.id)
    }
    #expect(error?.reason == .loadFailed)
    #expect(error?.message.contains("the printer is on fire") == true)
    #expect(
      try await drag.outcome() == ActiveDrag.Outcome(operation: .cancel, loaded: [], failed: [0]))
  }

  @Test("The writer of a promise that no client wants gets an error")
  func unwanted() async throws {
    let stage = try await Stage()
    let (ends, end) = AsyncStream.makeStream(of: (any Error).self)
    let began = EventBuffer<Void>(overflow: ())
    let promise = Promise { writer in
      began.send(())
      do {
        // The promise is so slow that the test can cancel it before its size exceeds the limit.
        while true {
          try writer.write([UInt8](repeating: 65, count: 4_096))
          usleep(1_000)
        }
      } catch {
        end.yield(error)
        throw error
      }
    }
    let drag = try await stage.dragboard.beginDrag([
      DragItem([.init(.plainText, .promise(promise))])
    ])
    let board = try await stage.another().board(named: "default")
    let drop = Task { try await board.dropTarget.perform(drag.session.id) }
    _ = try await began.next()
    try await drag.session.cancel()
    let error = await ends.first { _ in true }
    #expect(error is PromiseWriter.NotWanted)
    #expect(try await drop.value.operation == .cancel)
  }

  @Test("Only the daemon can load promised bytes")
  func stranger() async throws {
    let stage = try await Stage()
    let item = DragItem([.init(.plainText, .promise(Promise { try $0.write(Self.bytes) }))])
    let drag = try await stage.dragboard.beginDrag([item])
    let stranger = try stage.daemon.client()
    let file = FileDescriptor(adopting: Glibc.open("/dev/null", O_WRONLY | O_CLOEXEC))
    let call = OutgoingMessage.call(
      "Load", of: RepresentationLoaderInterface.name, at: "/org/dragboard/Client/loader/1",
      to: BusName(unchecked: stage.dragboard.uniqueName))
    call.append(drag.session.id.objectPath, UInt32(0), "text/plain;charset=utf-8", file)
    #expect(throws: DBusError(.accessDenied, "only the daemon may request promised bytes")) {
      try stranger.wait(for: call)
    }
  }

  @Test("Only the client that accepts the drag can load its bytes")
  func accepting() async throws {
    let stage = try await Stage()
    let item = DragItem(
      suggestedName: "note",
      [
        .init(.plainText, .data(Self.bytes)),
        .init(.html, .promise(Promise { try $0.write([60]) })),
      ])
    let drag = try await stage.dragboard.beginDrag([item])
    let session = DragSession(drag.session.id, on: try await stage.another())
    let drop = try await session.accept(as: "org.example.Mail")
    #expect(drop.granted == .copy)
    #expect(try await drop.text(ofItem: 0) == "promised")
    #expect(try await drop.data(ofItem: 0, as: .html) == [60])
    #expect(try await drop.file(ofItem: 0).bytes() == Self.bytes)
    await expect(.noSuchRepresentation) { _ = try await drop.data(ofItem: 0, as: .png) }
    await expect(.sessionEnded) { _ = try await drag.session.accept() }
    try await drop.finish()
    #expect(try await drag.outcome().operation == .copy)
  }

  @Test("Files are inserted, read and dragged through descriptors")
  func files() async throws {
    let stage = try await Stage()
    let size = 300_000
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let file = try #require(tmpfile())
    defer { fclose(file) }
    #expect(fwrite(bytes, 1, size, file) == size)
    fflush(file)
    let item = try await stage.board.insert(SourceFile(descriptor: fileno(file)), as: .data)
    let received = try await stage.board.file(of: item)
    #expect(try received.byteCount == size)
    #expect(try received.bytes() == bytes)
    let drag = try await stage.dragboard.beginDrag([
      DragItem([.init(.png, .file(SourceFile(descriptor: fileno(file))))])
    ])
    let session = DragSession(drag.session.id, on: try await stage.another())
    let drop = try await session.accept()
    #expect(try await drop.file(ofItem: 0, as: "image/*").bytes() == bytes)
    await expect(.inputOutput) {
      try await stage.board.insert(SourceFile(descriptor: -1), as: .data)
    }
  }
}
