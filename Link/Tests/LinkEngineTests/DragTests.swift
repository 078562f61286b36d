import DragboardClient
import Foundation
import LinkModel
import Testing

@Suite("Drags across machines")
struct DragTests {
  @Test("A promise on one machine is dropped on a board of another machine; the source learns it")
  func promise() async throws {
    let pair = try await DragPair()
    let promise = TestPromise()
    promise.release()
    let drag = try await pair.source.beginDrag([
      promise.item("text/plain;charset=utf-8", name: "Notes.txt", Array("promised".utf8))
    ])
    let session = try await pair.arrival()
    #expect(try await session.info().itemCount == 1)
    #expect(try await session.attributes(ofItem: 0).name == "Notes.txt")
    #expect(try await session.types(ofItem: 0) == ["text/plain;charset=utf-8"])
    #expect(promise.loadCount == 0)

    #expect(try pair.bert.run("dragboard", "drop").status == 0)
    #expect(try pair.bert.run("dragboard", "get", "0").text == "promised")
    let outcome = try await within { try await drag.outcome() }
    #expect(outcome.operation == .copy)
    #expect(outcome.loaded == [0])
    #expect(outcome.failed == [])
    #expect(promise.loadCount == 1)
    try await eventually("no drag is left") {
      guard try await pair.destination.sessions().isEmpty else { return false }
      return try await pair.source.sessions().isEmpty
    }
  }

  @Test("A file of 64 MiB and its name arrive in a directory of another machine")
  func largeFile() async throws {
    let pair = try await DragPair()
    try pair.anna.run("sh", "-c", "head -c 67108864 /dev/urandom > \"$HOME/large.bin\"")
    let drag = Task.detached {
      try pair.anna.run("sh", "-c", "dragboard drag --file \"$HOME/large.bin\"")
    }
    _ = try await pair.arrival()
    let result = try pair.bert.run("sh", "-c", "dragboard drop --into \"$HOME\"")
    #expect(result.status == 0, "\(result.text)")
    #expect(try await drag.value.text.contains("copied 1 item"))
    func sum(_ machine: CommandMachine) throws -> Substring {
      try machine.run("sh", "-c", "b2sum \"$HOME/large.bin\"").text.prefix(128)
    }
    #expect(try sum(pair.anna) == sum(pair.bert))
    #expect(try sum(pair.bert).count == 128)
  }
}
