import BoardModel
import DragboardRecovery
import Foundation
import TestSupport
import Testing

@testable import DragboardStore

/// A FIFO in place of a file of the store hung the start, and a damage note without a database
/// blocked every start.
@Suite("Regression: names in the data directory were not regular files")
struct NamesThatAreNoFiles {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let store = try folder.open()
    var (id, board) = try store.makeBoard(named: "default")
    _ = try store.append(["kept"], to: &board, id)
    try store.commit()
    store.conclude()
  }

  /// A kind of file that is not regular.
  enum Kind: CaseIterable {
    case fifo, socket, link, directory, device

    /// Makes a file of this kind; returns false if this process lacks the permission.
    func make(_ path: String, elsewhere: String) throws -> Bool {
      switch self {
      case .fifo: return mkfifo(path, 0o600) == 0
      case .socket: return try makeSocket(path)
      case .link:
        try Data("elsewhere".utf8).write(to: URL(fileURLWithPath: elsewhere))
        return symlink(elsewhere, path) == 0
      case .directory: return mkdir(path, 0o700) == 0
      case .device: return mknod(path, S_IFCHR | 0o600, 1 << 8 | 3) == 0
      }
    }

    private func makeSocket(_ path: String) throws -> Bool {
      // The path of a socket must be short, so it is bound at a shorter path and moved.
      let short = "/tmp/dragboard-\(UUID().uuidString.prefix(8))"
      let file = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(file) }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: short.utf8) }
      let size = socklen_t(MemoryLayout<sockaddr_un>.size)
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(file, $0, size) }
      }
      guard result == 0 else { return false }
      try FileManager.default.moveItem(atPath: short, toPath: path)
      return true
    }
  }

  /// Opens the store in another process, which is killed if it hangs.
  private func expectRefusal(_ path: String) async {
    await #expect(processExitsWith: .exitCode(0)) {
      [data = folder.data as String, path = path as String] in
      alarm(20)
      do throws(StoreError) { _ = try BoardStore.open(in: data) } catch {
        exit("\(error)".contains(path) ? 0 : 2)
      }
      exit(3)
    }
  }

  @Test(
    "The store is not opened, and the error names the path",
    arguments: ["lock", "damaged", "boards.db", "boards.db-wal", "boards.db-shm"], Kind.allCases)
  func refused(name: String, kind: Kind) async throws {
    let path = folder.data + "/" + name
    try? FileManager.default.removeItem(atPath: path)
    let elsewhere = folder.path + "/elsewhere"
    guard try kind.make(path, elsewhere: elsewhere) else { return #expect(kind == .device) }
    await expectRefusal(path)
    if kind == .link {
      #expect(FileManager.default.contents(atPath: elsewhere) == Data("elsewhere".utf8))
    }
  }

  @Test("The directory of contents must not be a FIFO or a link", arguments: [Kind.fifo, .link])
  func contents(kind: Kind) async throws {
    try #require(try kind.make(folder.contents, elsewhere: folder.path + "/elsewhere"))
    await expectRefusal(folder.contents)
  }

  @Test(
    "A file with the name of a directory of damaged files is left alone",
    arguments: [Kind.fifo, .socket, .link, .device])
  func setAside(kind: Kind) throws {
    let path = folder.data + "/damaged-x"
    guard try kind.make(path, elsewhere: folder.path + "/elsewhere") else { return }
    #expect(try folder.open().boards().count == 1)
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test("A damage note without a database is removed, and a new database is created")
  func noteAlone() throws {
    for name in try folder.files().keys {
      try FileManager.default.removeItem(atPath: folder.data + "/" + name)
    }
    DamageNote.leave("note", in: folder.data)
    do {
      let store = try folder.open()
      #expect(store.recovery == nil)
      #expect(try store.boards().isEmpty)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.data + "/damaged"))
    #expect(try folder.open().recovery == nil)
  }

  @Test("If there is a damage note but no database, existing contents are moved aside")
  func noteWithContents() throws {
    do {
      let store = try folder.open()
      try store.put(.bytes(largeBytes(1)), of: store.reserveRows(1)[0])
      try store.commit()
    }
    let names = folder.contentNames()
    try #require(names.count == 1)
    for name in ["boards.db", "boards.db-wal"] {
      try? FileManager.default.removeItem(atPath: folder.data + "/" + name)
    }
    DamageNote.leave("note", in: folder.data)
    let aside = try #require(try folder.open().recovery?.folder)
    #expect(try FileManager.default.contentsOfDirectory(atPath: aside + "/contents") == names)
  }

  @Test(
    "If a content's name is not a regular file, only this content fails", arguments: Kind.allCases)
  func content(kind: Kind) async throws {
    do {
      let store = try folder.open()
      try store.put(.bytes(largeBytes(1)), of: RowID(100))
      try store.commit()
    }
    let path = folder.contents + "/" + (try #require(folder.contentNames().first))
    try FileManager.default.removeItem(atPath: path)
    guard try kind.make(path, elsewhere: folder.path + "/elsewhere") else { return }
    await #expect(processExitsWith: .exitCode(0)) {
      [data = folder.data as String, path = path as String] in
      alarm(20)
      let store = try BoardStore.open(in: data)
      guard let file = try store.content(of: RowID(100), at: 0).file else { exit(2) }
      for read in [{ _ = try file.readAll() }, { _ = try file.readPrefix(1) }] {
        do { try read() } catch {
          if "\(error)".contains(path) { continue }
        }
        exit(3)
      }
      exit(try store.boards().count == 1 ? 0 : 4)
    }
  }
}
