import Foundation
import TestSupport
import Testing

@testable import Files

@Suite("Files that are replaced as a whole")
struct AtomicFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test("A file gets its name, its mode and all its bytes at once", arguments: [true, false])
  func write(isDurable: Bool) throws {
    try AtomicFile.write(Array("one".utf8), to: path("a"), isDurable: isDurable)
    try AtomicFile.write(Array("two".utf8), to: path("a"), mode: 0o666, isDurable: isDurable)
    #expect(try text("a") == "two")
    #expect(try names == ["a"])
    let attributes = try FileManager.default.attributesOfItem(atPath: path("a"))
    #expect(attributes[.posixPermissions] as? Int == 0o666)
  }

  @Test("Before the commit, the older file is unchanged, and without a commit no file is left")
  func uncommitted() throws {
    try AtomicFile.write(Array("old".utf8), to: path("a"))
    do {
      let file = try AtomicFile(path("a"))
      try file.descriptor.write(Array("new".utf8))
      #expect(try text("a") == "old")
      #expect(try names.count == 2)
    }
    #expect(try text("a") == "old")
    #expect(try names == ["a"])
  }

  @Test("A reader of the older file is not disturbed, and a link is replaced")
  func replacement() throws {
    try AtomicFile.write(Array("old".utf8), to: path("a"))
    let reader = try FileDescriptor(opening: path("a"), O_RDONLY)
    try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "a")
    try AtomicFile.write(Array("new".utf8), to: path("a"))
    try AtomicFile.write(Array("other".utf8), to: path("link"))
    #expect(reader.read(10, at: 0) == Array("old".utf8))
    #expect(try text("a") == "new")
    #expect(try text("link") == "other")
  }

  @Test("The error names the file, and leaves nothing")
  func errors() throws {
    #expect(throws: FileError(path: path("none/a"), code: ENOENT)) {
      try AtomicFile.write([], to: path("none/a"))
    }
    try FileManager.default.createDirectory(
      atPath: path("directory"), withIntermediateDirectories: true)
    #expect(throws: FileError(path: path("directory"), code: EISDIR)) {
      try AtomicFile.write([1], to: path("directory"))
    }
    #expect(try names == ["directory"])
  }

  @Test("On a full disk, the older file keeps its bytes", .enabled(if: SmallDisk.isPossible))
  func fullDisk() throws {
    let disk = try SmallDisk()
    let path = disk.path + "/a"
    try AtomicFile.write(Array("old".utf8), to: path)
    disk.fill()
    #expect(throws: FileError(path: path, code: ENOSPC)) {
      try AtomicFile.write([UInt8](repeating: 7, count: 100_000), to: path)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted() == ["a", "filler"])
    disk.makeRoom()
    try AtomicFile.write(Array("new".utf8), to: path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
  }

  @Test("The name may have 255 bytes, and the path need not be UTF-8")
  func unusualNames() throws {
    let long = String(repeating: "n", count: 255)
    try AtomicFile.write(Array("x".utf8), to: path(long))
    #expect(try text(long) == "x")
    let bytes = Array(path("a").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9), 0]
    let file = try AtomicFile(bytes: bytes, path: path("a\\xE9"))
    try file.commit()
    #expect(access(bytes, F_OK) == 0)
    unlink(bytes)
  }

  @Test("Many writers at once leave one whole file")
  func concurrency() async throws {
    try await withThrowingTaskGroup { group in
      for number: UInt8 in 0..<8 {
        group.addTask { [path = path("a")] in
          let bytes = [UInt8](repeating: number, count: 100_000)
          for _ in 0..<10 { try AtomicFile.write(bytes, to: path, isDurable: false) }
        }
      }
      try await group.waitForAll()
    }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path("a")))
    #expect(bytes.count == 100_000 && Set(bytes).count == 1)
    #expect(try names == ["a"])
  }

  @Test("Temporary files of killed processes are removed, and no others")
  func leftovers() throws {
    for name in [".dragboard-0123456789abcdef", ".dragboardrc", "a"] {
      #expect(FileManager.default.createFile(atPath: path(name), contents: nil))
    }
    AtomicFile.removeLeftovers(in: folder.path)
    #expect(try names == [".dragboardrc", "a"])
  }
}
