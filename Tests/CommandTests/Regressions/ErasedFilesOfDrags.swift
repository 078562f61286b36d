import Foundation
import TestSupport
import Testing

/// Files that the shelf had copied for drags survived `dragboard clear --erase`.
@Suite("Regression: files of the shelf survived an erasure")
struct ErasedFilesOfDrags {
  private let stage: CommandStage
  private let cache: String

  init() throws {
    stage = try CommandStage()
    cache = try #require(stage.environment["XDG_CACHE_HOME"]) + "/dragboard-shelf"
  }

  private func copy(_ owner: String) throws {
    try FileManager.default.createDirectory(
      atPath: "\(cache)/\(owner)", withIntermediateDirectories: true)
    try Data("text".utf8).write(to: URL(fileURLWithPath: "\(cache)/\(owner)/a.txt"))
  }

  private var owners: Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? [])
  }

  @Test("clear --erase deletes the files of rows that no longer exist, without the shelf")
  func erase() throws {
    try stage.output("clear", "--erase")
    let ids = try stage.lines("add", "a", "b", "c")
    try stage.output("pin", "1")
    try stage.output("remove", "2")
    try stage.output("board", "add", "other")
    let other = try stage.lines("add", "d", "--board", "other")
    for owner in ids + other + ["drag-7-0"] { try copy(owner) }
    try stage.output("clear")
    #expect(owners.count == 5)
    try stage.output("undo")
    try stage.output("clear", "--erase")
    #expect(owners == [ids[1], other[0]])
  }

  @Test("clipboard clear deletes the files of rows that no longer exist")
  func clipboard() throws {
    let stub = try ClipboardStub(on: stage.daemon.bus)
    let ids = try stage.lines("add", "a")
    for owner in ids + ["00000000-0000-0000-0000-000000000000"] { try copy(owner) }
    try stage.output("clipboard", "clear")
    #expect(owners == Set(ids))
    withExtendedLifetime(stub) {}
  }

  @Test("clear --erase follows no link in the cache, and reports a cache that is a link")
  func links() throws {
    let documents = stage.folder.path
    let letter = "\(documents)/letter.txt"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: letter))
    try copy("one")
    try FileManager.default.createSymbolicLink(
      atPath: "\(cache)/two", withDestinationPath: documents)
    try stage.output("add", "a")
    try stage.output("clear", "--erase")
    #expect(owners == [])
    #expect(FileManager.default.fileExists(atPath: letter))
    try FileManager.default.removeItem(atPath: cache)
    try FileManager.default.createSymbolicLink(atPath: cache, withDestinationPath: documents)
    try stage.output("add", "b")
    try stage.expect(74, "clear", "--erase", naming: "not a link")
    #expect(try stage.rows() == [])
    #expect(FileManager.default.fileExists(atPath: letter))
  }
}
