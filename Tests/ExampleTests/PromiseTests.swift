import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("The examples that promise")
struct PromiseTests {
  let desk: Desk
  init() throws { desk = try Desk() }

  @Test(
    "Bytes promised in one language arrive in the other unchanged",
    arguments: Language.available, Language.available)
  func transfer(source: Language, destination: Language) throws {
    let bytes = try desk.write(6 << 20, seed: 3, to: "big.bin")
    let promise = try desk.promise("big.bin", "image/png", in: source)
    let accept = try desk.accept("image/*", in: destination, to: "got")
    #expect(accept.waitForExit() == .exited(0), "\(accept.text(of: .errors))")
    #expect(accept.text(of: .errors) == "item 0: image/png\n")
    #expect(try desk.data(of: "got") == bytes)
    #expect(
      promise.lines() == [
        "making \(promise.file)", "given", "it arrived", "the drag has ended: copy",
      ])
    #expect(promise.process.waitForExit() == .exited(0))
  }

  @Test(
    "A promise that is dropped on a board is made once, and not before",
    arguments: Language.available)
  func board(language: Language) throws {
    let client = desk.client
    let promise = try desk.promise("late.bin", "image/png", in: language)
    let session = promise.session
    #expect(try client.call(DragSessionInterface.getTypes, at: session, 0) == ["image/png"])
    #expect(try client.call(DragSessionInterface.canLoad, at: session, "image/*"))
    #expect(
      try client.call(DragSessionInterface.getSuggestedName, at: session, 0) == "late.bin")
    #expect(try client.call(DropTargetInterface.canHandle, session))
    #expect(try client.call(DropTargetInterface.proposeDrop, session, "", 0, -1).0 == "copy")

    // The file did not exist until now, so an earlier call of the loader would have failed.
    let bytes = try desk.write(3 << 20, seed: 5, to: "late.bin")
    let (operation, items) = try client.call(
      DropTargetInterface.performDrop, session, "", 0, -1)
    #expect(operation == "copy")
    let row = try #require(items.first)
    #expect(try client.call(BoardInterface.getData, row, "image/png") == Array(bytes))
    #expect(
      promise.lines() == [
        "making \(promise.file)", "given", "it arrived", "the drag has ended: copy",
      ])
  }

  @Test("A promise that is loaded twice is made once", arguments: Language.available)
  func askedTwice(language: Language) throws {
    let client = desk.client
    let bytes = try desk.write(1 << 20, seed: 7, to: "twice.bin")
    let promise = try desk.promise("twice.bin", "image/png", in: language)
    #expect(try client.call(DragSessionInterface.accept, at: promise.session, "", "copy") == "copy")
    let calls = [0, 1].map { _ in
      let call = OutgoingMessage.call(
        "LoadData", of: DragSessionInterface.name, at: promise.session, to: Dragboard.busName)
      call.append(UInt32(0), "*/*")
      return call
    }
    for answer in client.answers(to: calls) {
      #expect(try answer.get().arguments(as: [UInt8].self) == Array(bytes))
    }
    try client.call(DragSessionInterface.finish, at: promise.session)
    #expect(promise.lines().filter { $0.hasPrefix("making") }.count == 1)
  }

  @Test("A promise that no client loads is not made", arguments: Language.available)
  func notAskedFor(language: Language) throws {
    let promise = try desk.promise("no.bin", "image/png", in: language)
    _ = try desk.client.call(DragSessionInterface.accept, at: promise.session, "", "copy")
    try desk.client.call(DragSessionInterface.finish, at: promise.session)
    #expect(promise.lines() == ["it was not asked for", "the drag has ended: copy"])
    #expect(promise.process.waitForExit() == .exited(1))
  }

  @Test(
    "A cancelled load breaks the source's pipe, and the source reports it and continues",
    arguments: Language.pairs)
  func brokenOff(source: Language, destination: Language) throws {
    // The file is a FIFO to which only the test writes, so the load stays incomplete until the test
    // ends it.
    #expect(mkfifo(desk.path("endless"), 0o600) == 0)
    let promise = try desk.promise("endless", "image/png", in: source)
    let accept = try desk.accept("*/*", in: destination, to: "got")
    #expect(promise.process.nextLine() == "making \(promise.file)")
    let feed = open(desk.path("endless"), O_WRONLY | O_CLOEXEC)
    defer { close(feed) }
    let piece = [UInt8](repeating: 1, count: 4096)
    #expect(write(feed, piece, piece.count) == piece.count)
    #expect(accept.status == nil)
    accept.kill(SIGKILL)
    _ = desk.client.next("DragEnded")

    // The example closes the FIFO when its own pipe has lost its reader; then the test's write
    // fails.
    signal(SIGPIPE, SIG_IGN)
    while write(feed, piece, piece.count) > 0 {}
    #expect(errno == EPIPE)
    #expect(
      Set(promise.lines()) == [
        "making \(promise.file)", "broken off: nobody wants it any more", "it did not arrive",
        "the drag has ended: cancel",
      ])
    #expect(promise.process.waitForExit() == .exited(1))
  }

  @Test(
    "The error of a failed promise has the reason",
    arguments: Language.pairs)
  func failing(source: Language, destination: Language) throws {
    let promise = try desk.promise("missing", "image/png", in: source)
    let accept = try desk.accept("*/*", in: destination, to: "got")
    #expect(accept.waitForExit() == .exited(1))
    #expect(accept.text(of: .errors).hasSuffix("the source reports: No such file or directory\n"))
    #expect(
      promise.lines() == [
        "making \(promise.file)", "failed: No such file or directory", "it did not arrive",
        "the drag has ended: cancel",
      ])
    #expect(promise.process.waitForExit() == .exited(1))
  }

  @Test("A drag ends with the program that promised", arguments: Language.available)
  func sourceLeaves(language: Language) throws {
    let promise = try desk.promise("any", "image/png", in: language)
    promise.process.kill(SIGTERM)
    _ = desk.client.next("DragEnded")
    #expect(try desk.client.get(DragSessionInterface.operation, at: promise.session) == "cancel")
  }

  @Test("An invalid type is refused with the daemon's message", arguments: Language.available)
  func wrongType(language: Language) throws {
    let process = try desk.start(language.program("promise"), "file", "picture")
    #expect(process.text(of: .errors).contains("type: "))
    #expect(process.waitForExit() == .exited(1))
  }
}
