import Files
import Foundation
import Testing

@Suite("The cache of files for drags")
final class ShelfCacheTests {
  /// A directory with the cache and, beside it, files of the user.
  private let home = FileManager.default.temporaryDirectory.appending(
    path: "cache-\(UUID().uuidString)")
  private var path: String { home.appending(path: "a/dragboard-shelf").path }

  init() throws {
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: home) }

  private func write(_ name: String, of owner: String) throws -> String {
    let file = try ShelfCache(path, isCreated: true).newFile(named: name, of: owner)
    try file.descriptor.write(Array("text".utf8))
    try file.commit(isDurable: false)
    return file.path
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  /// Creates a file of the user outside of the cache; returns its path.
  private func userFile() throws -> String {
    let folder = home.appending(path: "documents")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "letter.txt").path
    try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
    return file
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(path)/\(name)", withDestinationPath: target)
  }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  @Test("Directories have mode 0700 and files 0600, also if they were wider before")
  func modes() throws {
    let file = try write("a.txt", of: "one")
    #expect(file == "\(path)/one/a.txt")
    #expect(try mode(file) == 0o600)
    for directory in [path, "\(path)/one"] {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory)
    }
    _ = try write("a.txt", of: "one")
    #expect(try mode(path) == 0o700)
    #expect(try mode("\(path)/one") == 0o700)
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(path)/one") == ["a.txt"])
  }

  @Test("A file replaces a link of the same name, and does not change its target")
  func linkedFile() throws {
    let target = try userFile()
    _ = try write("b.txt", of: "one")
    try link("one/a.txt", to: target)
    let file = try write("a.txt", of: "one")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "text")
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
  }

  @Test("A link in place of the directory of a row is not followed")
  func linkedOwner() throws {
    let target = try userFile()
    _ = try write("a.txt", of: "one")
    try link("two", to: home.appending(path: "documents").path)
    #expect(throws: FileError.self) { try write("letter.txt", of: "two") }
    let cache = try ShelfCache(path)
    cache.removeExpired(at: .seconds(1 << 40))
    #expect(cache.owners.isEmpty)
    try link("two", to: home.appending(path: "documents").path)
    cache.remove(except: [])
    #expect(cache.owners.isEmpty)
    #expect(exists(target))
  }

  @Test("A cache that is a link is refused")
  func linkedCache() throws {
    let target = try userFile()
    try FileManager.default.createDirectory(
      at: home.appending(path: "a"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: home.appending(path: "documents").path)
    #expect(throws: FileError(path: path, code: ENOTDIR)) { try ShelfCache(path) }
    #expect(throws: FileError.self) { try write("letter.txt", of: "one") }
    #expect(exists(target))
  }

  @Test("A cache of another user is refused", .enabled(if: geteuid() == 0, "chown needs root"))
  func foreignCache() throws {
    _ = try write("a.txt", of: "one")
    #expect(chown(path, 12_345, 12_345) == 0)
    #expect(throws: FileError(path: path, code: EPERM)) { try ShelfCache(path) }
  }

  @Test("Files are deleted a day after their last drag")
  func expiry() throws {
    for owner in ["one", "two"] { _ = try write("a.txt", of: owner) }
    let now = Duration.seconds(time(nil))
    let day = ShelfCache.lifetime
    for owner in ["one", "two"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -90_000)], ofItemAtPath: "\(path)/\(owner)")
    }
    _ = try write("a.txt", of: "two")
    let cache = try ShelfCache(path)
    cache.removeExpired(at: now)
    #expect(cache.owners == ["two"])
    cache.removeExpired(at: now + day - .seconds(60))
    #expect(cache.owners == ["two"])
    cache.removeExpired(at: now + day + .seconds(60))
    #expect(cache.owners == [])
  }

  @Test("All files except those of some rows are deleted; an unfinished file leaves nothing")
  func removal() throws {
    for owner in ["one", "two", "drag-1"] { _ = try write("a.txt", of: owner) }
    let cache = try ShelfCache(path)
    cache.remove(except: ["two", "three"])
    #expect(cache.owners == ["two"])
    _ = try cache.newFile(named: "b.txt", of: "two")
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(path)/two") == ["a.txt"])
  }
}
