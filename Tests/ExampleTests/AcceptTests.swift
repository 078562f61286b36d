import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("The examples that accept")
struct AcceptTests {
  let desk: Desk
  init() throws { desk = try Desk() }

  /// Begins a drag of items, each given as a name, a type and a text.
  private func drag(_ items: [(name: String, type: String, text: String)]) throws -> ObjectPath {
    let session = try desk.client.call(ManagerInterface.beginDrag, at: Dragboard.root, "")
    for item in items {
      let index = try desk.client.call(DragSessionInterface.addItem, at: session, item.name)
      try desk.client.call(
        DragSessionInterface.registerData, at: session, index, item.type, "all",
        Array(item.text.utf8))
    }
    return session
  }

  @Test("All items of the latest drag arrive, in their order", arguments: Language.available)
  func order(language: Language) throws {
    _ = try drag([("", "text/plain", "earlier")])
    let session = try drag([("", "text/plain", "one "), ("", "text/html", "two")])
    let accept = try desk.accept("text/*", in: language, to: "got")
    #expect(accept.waitForExit() == .exited(0))
    #expect(accept.text(of: .errors) == "item 0: text/plain\nitem 1: text/html\n")
    #expect(try desk.data(of: "got") == Data("one two".utf8))
    #expect(try desk.client.get(DragSessionInterface.operation, at: session) == "copy")
  }

  @Test("A failed item does not affect the others", arguments: Language.available)
  func oneFails(language: Language) throws {
    let session = try drag([("", "image/png", "png"), ("", "text/plain", "text")])
    let accept = try desk.accept("text/*", in: language, to: "got")
    #expect(accept.waitForExit() == .exited(1))
    #expect(accept.text(of: .errors).contains("item 0: image/png\nitem 0: "))
    #expect(try desk.data(of: "got") == Data("text".utf8))
    #expect(try desk.client.get(DragSessionInterface.operation, at: session) == "copy")
  }

  @Test("Without a drag, the example reports an error", arguments: Language.available)
  func noDrag(language: Language) throws {
    let accept = try desk.accept("*/*", in: language, to: "got")
    #expect(accept.waitForExit() == .exited(1))
    #expect(accept.text(of: .errors).hasSuffix(": nothing is being dragged\n"))
  }

  @Test("A drag without the type stays active", arguments: Language.available)
  func otherType(language: Language) throws {
    let session = try drag([("", "text/plain", "text")])
    let accept = try desk.accept("image/*", in: language, to: "got")
    #expect(accept.waitForExit() == .exited(1))
    #expect(accept.text(of: .errors).hasSuffix(": no dragged item has that type\n"))
    #expect(try desk.client.get(DragSessionInterface.state, at: session) == "active")
  }

  @Test(
    "A drag that is restricted to another application is not accepted",
    arguments: Language.available)
  func restricted(language: Language) throws {
    let session = try drag([("", "text/plain", "text")])
    try desk.client.set(
      DragSessionInterface.restrictedToApplication, to: Variant(.boolean(true)), at: session)
    let accept = try desk.accept("*/*", in: language, to: "got")
    #expect(accept.waitForExit() == .exited(1))
    #expect(accept.text(of: .errors).hasSuffix(": the drag is for another application\n"))
    #expect(try desk.data(of: "got").isEmpty)
  }

  @Test("Each item becomes a file in the given directory, under its own name")
  func folder() throws {
    _ = try drag([
      ("plain.txt", "text/plain", "0"), ("../../above", "text/plain", "1"),
      ("/absolute", "text/plain", "2"), (".hidden", "text/plain", "3"),
      ("", "text/plain", "4"), ("..", "text/plain", "5"),
    ])
    let result = try run(into: "folder")
    #expect(result.status == .exited(0), "\(result.errors)")
    let names = ["plain.txt", "_._.._above", "_absolute", "_hidden", "item-5", "_."]
    let files = try FileManager.default.contentsOfDirectory(atPath: desk.path("folder"))
    #expect(files.sorted() == names.sorted())
    for (index, name) in names.enumerated() {
      #expect(try desk.data(of: "folder/\(name)") == Data("\(index)".utf8))
    }
  }

  @Test("An existing file is kept, and the item's file name gets a number")
  func existing() throws {
    for number in 1...3 {
      _ = try drag([("name.tar.gz", "text/plain", "\(number)")])
      #expect(try run(into: "folder").status == .exited(0))
    }
    #expect(try desk.data(of: "folder/name.tar.gz") == Data("1".utf8))
    #expect(try desk.data(of: "folder/name-2.tar.gz") == Data("2".utf8))
    #expect(try desk.data(of: "folder/name-3.tar.gz") == Data("3".utf8))
  }

  @Test(
    "File names have no invisible characters, leading hyphens and surplus bytes",
    arguments: [
      ("-rf", "_rf"), ("\u{202E}cod.exe", "cod.exe"), (" \u{200B}.env", "_env"), ("a\\b", "a_b"),
      ("\u{3164}", "item-1"),
      (String(repeating: "🦀", count: 251) + ".png", String(repeating: "🦀", count: 59) + ".png"),
    ])
  func safeNames(suggested: String, expected: String) throws {
    _ = try drag([(suggested, "text/plain", "x")])
    let result = try run(into: "folder")
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: desk.path("folder")) == [expected])
  }

  private func run(into folder: String) throws -> CommandResult {
    try FileManager.default.createDirectory(
      atPath: desk.path(folder), withIntermediateDirectories: true)
    return try desk.daemon.run(Language.python.program("accept"), ["*/*", desk.path(folder)])
  }
}
