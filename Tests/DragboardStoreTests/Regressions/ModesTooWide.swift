import BoardModel
import DragboardRecovery
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DragboardStore

/// A recovered database had mode 0644, and existing files with such modes were not corrected.
@Suite("Regression: other users could read the stored data")
struct ModesTooWide {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns the modes of everything in the data directory, by path below it.
  private func modes() throws -> [String: Int] {
    var modes = ["": try mode(folder.data)]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.data) {
      modes[path] = try mode(folder.data + "/" + path)
    }
    return modes
  }

  private func mode(_ path: String) throws -> Int {
    var status = stat()
    try #require(lstat(path, &status) == 0, "\(path)")
    return Int(status.st_mode & 0o7777)
  }

  private func expectPrivate(_ modes: [String: Int]) throws {
    for (path, mode) in modes {
      var status = stat()
      try #require(lstat(folder.data + "/" + path, &status) == 0)
      let isDirectory = status.st_mode & S_IFMT == S_IFDIR
      let expected =
        isDirectory
        ? 0o700 : URL(fileURLWithPath: path).lastPathComponent.count == 64 ? 0o400 : 0o600
      #expect(mode == expected, "\(path): 0\(String(mode, radix: 8))")
    }
  }

  /// Makes a store with files of every kind, damages it, has it recovered, and ends as in a crash.
  private static func fill(_ data: String) throws {
    for round in 0..<2 as Range<UInt8> {
      let store = try BoardStore.open(in: data)
      try store.put(.bytes(largeBytes(round)), of: RowID(UInt64(round) + 1))
      _ = try store.makeBoard(named: "board \(round)")
      try store.commit()
      if round == 0 { DamageNote.leave("note", in: data) }
    }
    let store = try BoardStore.open(in: data)
    try store.put(.text("in the log"), of: RowID(9))
    try store.put(.bytes(largeBytes(9)), of: RowID(10))
    try store.commit()
    kill(getpid(), SIGKILL)
  }

  @Test(
    "Under any umask, every file and directory is private, even after a recovery",
    arguments: [0, 0o022, 0o777] as [mode_t])
  func umask(mask: mode_t) async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [data = folder.data as String, mask = mask as mode_t] in
      Glibc.umask(mask)
      try Self.fill(data)
    }
    let modes = try modes()
    for name in ["boards.db", "boards.db-wal", "lock", "contents"] {
      #expect(modes[name] != nil, "\(name)")
    }
    #expect(modes.keys.contains { $0.hasPrefix("damaged-") && $0.hasSuffix("/report.txt") })
    #expect(modes.keys.contains { $0.hasPrefix("contents/") })
    try expectPrivate(modes)
  }

  @Test("Files that others can read are made private at the opening, and reported by path")
  func narrowed() async throws {
    await #expect(processExitsWith: .signal(SIGKILL)) { [data = folder.data as String] in
      try Self.fill(data)
    }
    let before = try modes().filter { $0.key != "" }
    try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.data + "/mine.txt"))
    let elsewhere = folder.path + "/elsewhere"
    try Data("elsewhere".utf8).write(to: URL(fileURLWithPath: elsewhere))
    let aside = try #require(before.keys.first { $0.hasPrefix("damaged-") && !$0.contains("/") })
    try #require(symlink(elsewhere, "\(folder.data)/\(aside)/link") == 0)
    for path in [elsewhere, folder.data] + before.keys.map({ folder.data + "/" + $0 }) {
      try #require(chmod(path, 0o755) == 0)
    }
    try #require(chmod(folder.data + "/mine.txt", 0o644) == 0)
    try #require(chmod(folder.path, 0o755) == 0)

    let reported = Mutex<[String]>([])
    do {
      let store = try BoardStore.open(in: folder.data) { event in
        reported.withLock { $0.append("\(event)") }
      }
      while try store.purgeDiscarded(limit: 10) { try store.commit() }
      // The data directory is reported, too.
      let count = before.count + 1
      let deadline = ContinuousClock.now + .seconds(60)
      while reported.withLock({ $0.count < count }), ContinuousClock.now < deadline {
        usleep(1_000)
      }
      store.conclude()
    }
    for (path, mode) in try modes() where path != "mine.txt" && !path.hasSuffix("/link") {
      #expect([0o700, 0o600, 0o400].contains(mode), "\(path): 0\(String(mode, radix: 8))")
      let isFile = FileManager.default.contents(atPath: folder.data + "/" + path) != nil
      #expect(!isFile || mode != 0o700, "\(path)")
    }
    #expect(try mode(elsewhere) == 0o755)
    #expect(try mode(folder.path) == 0o755)
    #expect(try mode(folder.data + "/mine.txt") == 0o644)
    let words = reported.withLock { $0 }
    for path in before.keys {
      #expect(words.contains { $0.hasPrefix("\(folder.data)/\(path): mode 0755") }, "\(path)")
    }
    #expect(words.count == Set(words).count)
  }

  @Test(
    "A content becomes readable by its owner only, whatever wider mode it has, in a private directory",
    arguments: [0o755, 0o644, 0o600, 0o440] as [mode_t])
  func contents(wide: mode_t) async throws {
    // The thread of an opening in this process could correct the mode late, and report it to nobody.
    await #expect(processExitsWith: .signal(SIGKILL)) { [data = folder.data as String] in
      let store = try BoardStore.open(in: data)
      try store.put(.bytes(largeBytes(1)), of: RowID(1))
      try store.commit()
      kill(getpid(), SIGKILL)
    }
    let name = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder.data + "/contents").first)
    let path = folder.data + "/contents/" + name
    let foreign = folder.data + "/contents/mine.txt"
    try Data("mine".utf8).write(to: URL(fileURLWithPath: foreign))
    for path in [path, foreign] { try #require(chmod(path, wide) == 0) }

    let reported = Mutex<[String]>([])
    let store = try BoardStore.open(in: folder.data) { event in
      reported.withLock { $0.append("\(event)") }
    }
    let deadline = ContinuousClock.now + .seconds(60)
    while reported.withLock(\.isEmpty), ContinuousClock.now < deadline { usleep(1_000) }
    let octal = String(wide, radix: 8)
    #expect(
      reported.withLock { $0 } == ["\(path): mode 0\(octal) was too wide and was changed to 0400"])
    #expect(try mode(path) == 0o400)
    #expect(try mode(foreign) == Int(wide))
    withExtendedLifetime(store) {}
  }
}
