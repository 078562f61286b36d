import BoardModel
import DragboardRecovery
import Files
import Foundation
import TestSupport
import Testing

@testable import DragboardStore

@Suite("Writing and reading a large content")
struct ContentFileTests {
  let folder: TemporaryFolder
  let store: BoardStore

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.open()
  }

  @Test("Every content has a unique id, which names its file")
  func ids() throws {
    let files = try (0..<3).map { _ in try store.contents.write([1]) }
    #expect(Set(files.map(\.id)).count == 3)
    #expect(folder.contentNames() == files.map { "\($0.id)" }.sorted())
    for file in files {
      #expect(ContentID(hex: "\(file.id)") == file.id)
      #expect(ContentID(file.id.bytes) == file.id)
    }
  }

  @Test(
    "A string that is not 64 lowercase hexadecimal digits is not an id",
    arguments: [
      "", "ab", String(repeating: "A", count: 64), String(repeating: "g", count: 64),
      String(repeating: "0", count: 63), String(repeating: "0", count: 65),
      String(repeating: "0", count: 62) + "é",
    ])
  func badIDs(text: String) {
    #expect(ContentID(hex: text) == nil)
  }

  @Test("Bytes reach the disk as they arrive; the file is immutable and private")
  func appended() throws {
    let writer = try store.contents.makeWriter()
    try writer.append(largeBytes(1))
    try writer.append([1, 2, 3])
    #expect(writer.byteCount == Payload.inlineLimit + 4)
    let name = try #require(folder.contentNames().first)
    #expect(folder.content(name) == Data(largeBytes(1) + [1, 2, 3]))
    #expect(try permissions(folder.contents) == 0o700)
    #expect(try permissions(folder.contents + "/" + name) == 0o400)
    try store.put(.file(writer.finish()), of: RowID(1))
    #expect(try permissions(folder.contents + "/" + (folder.contentNames().first ?? "")) == 0o400)
  }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test("A content that is not finished or not inserted leaves no file")
  func dropped() throws {
    do {
      let unfinished = try store.contents.makeWriter()
      try unfinished.append([1])
      let finished = try store.contents.write([2])
      try finished.sync()
      let other = try store.contents.write([2])
      #expect(folder.contentNames().count == 3)
      withExtendedLifetime((unfinished, finished, other)) {}
    }
    #expect(folder.contentNames().isEmpty)
    #expect(!store.contents.hasReleased)
  }

  @Test("A finished content accepts no bytes, and cannot be finished again")
  func finished() throws {
    let writer = try store.contents.makeWriter()
    try writer.append([1, 2])
    let file = try writer.finish()
    #expect(throws: StoreError.self) { try writer.append([3]) }
    #expect(throws: StoreError.self) { try writer.finish() }
    #expect(try file.readAll() == [1, 2])
  }

  @Test("Every read starts at the first byte, before and after the content is published")
  func opening() throws {
    let bytes = largeBytes(7)
    let file = try store.contents.write(bytes)
    #expect(try contents(of: file.openFile()) == bytes)
    let before = try file.openFile()
    try file.sync()
    #expect(try contents(of: file.openFile()) == bytes)
    try store.put(.file(file), of: RowID(1))
    #expect(try contents(of: file.openFile()) == bytes)
    #expect(try contents(of: before) == bytes)
    #expect(try file.readPrefix(3) == Array(bytes.prefix(3)))
    #expect(try file.readPrefix(0) == [])
    #expect(try file.readPrefix(-1) == [])
    #expect(try file.readPrefix(.max) == bytes)
  }

  @Test("A descriptor is read-only and close-on-exec")
  func descriptor() throws {
    let descriptor = try store.contents.write([1]).openFile()
    #expect(fcntl(descriptor.number, F_GETFL) & O_ACCMODE == O_RDONLY)
    #expect(fcntl(descriptor.number, F_GETFD) & FD_CLOEXEC != 0)
    #expect(lseek(descriptor.number, 0, SEEK_CUR) == 0)
  }

  private func contents(of file: FileDescriptor) throws -> [UInt8] {
    let handle = FileHandle(fileDescriptor: file.number, closeOnDealloc: false)
    return try withExtendedLifetime(file) { Array(try handle.readToEnd() ?? Data()) }
  }

  @Test("Syncing again does nothing, and publishing does not undo a sync")
  func syncing() throws {
    let file = try store.contents.write(largeBytes())
    #expect(!file.isSynced)
    try file.sync()
    #expect(file.isSynced)
    try file.sync()
    try store.put(.file(file), of: RowID(1))
    #expect(file.isSynced)
    try file.sync()
  }

  @Test("Contents can be written on many threads at once")
  func threads() async throws {
    let contents = store.contents
    let files = try await withThrowingTaskGroup(of: ContentFile.self) { group in
      for number in 0..<20 as Range<UInt8> {
        group.addTask {
          let file = try contents.write(largeBytes(number))
          try file.sync()
          return file
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for (index, file) in files.enumerated() {
      try store.put(.file(file), of: RowID(UInt64(index)))
    }
    #expect(Set(files.map(\.id)).count == 20)
    #expect(folder.contentNames() == files.map { "\($0.id)" }.sorted())
  }

  @Test("If a file cannot grow, its content fails, and every later call reports the error")
  func fileSizeLimit() async throws {
    await #expect(processExitsWith: .success) { [data = folder.path + "/other" as String] in
      signal(SIGXFSZ, SIG_IGN)
      let store = try BoardStore.open(in: data)
      let writer = try store.contents.makeWriter()
      try writer.append([UInt8](repeating: 1, count: 90_000))
      var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
      #expect(setrlimit(__rlimit_resource_t(1), &limit) == 0)
      for _ in 1...2 {
        let error = #expect(throws: StoreError.self) {
          try writer.append([UInt8](repeating: 2, count: 90_000))
        }
        guard case .file(let failure) = error else {
          Issue.record("\(String(describing: error))")
          return
        }
        #expect(failure.code == EFBIG)
      }
      #expect(writer.byteCount == 90_000)
      #expect(throws: StoreError.self) { try writer.finish() }
    }
  }

  /// Returns a content whose sync has failed, because its file was moved away for a moment.
  private func fileThatFailsToSync() throws -> (file: ContentFile, name: String) {
    let file = try store.contents.write(largeBytes(1))
    let name = try #require(folder.contentNames().first)
    try FileManager.default.moveItem(
      atPath: folder.contents + "/" + name, toPath: folder.path + "/elsewhere")
    #expect(throws: StoreError.self) { try file.sync() }
    try FileManager.default.moveItem(
      atPath: folder.path + "/elsewhere", toPath: folder.contents + "/" + name)
    return (file, name)
  }

  @Test(
    "After a failed sync all bytes are written again, because a later success proves nothing"
  )
  func failedSync() throws {
    let (file, name) = try fileThatFailsToSync()
    let old = try inode(folder.contents + "/" + name)
    #expect(!file.isSynced)
    try file.sync()
    #expect(folder.contentNames() == [name])
    #expect(try inode(folder.contents + "/" + name) != old)
    try store.put(.file(file), of: RowID(1))
    try store.commit()
    let copy = try folder.afterPowerCut()
    #expect(try copy.open().data(of: RowID(1), at: 0) == largeBytes(1))
  }

  private func inode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
  }

  @Test("If the bytes have changed since a failed sync, they are lost and reported as lost")
  func changedSinceFailedSync() throws {
    let (file, name) = try fileThatFailsToSync()
    let path = folder.contents + "/" + name
    try FileManager.default.removeItem(atPath: path)
    try Data(largeBytes(2)).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: StoreError.self) { try file.sync() }
    guard case .lost = error else { throw try #require(error) }
  }

}
