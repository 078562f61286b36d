import CLinux
import DBus
import DragboardInterface
import Files
import Foundation
import TestSupport
import Testing

@Suite(
  "Regression: a sealed memfd that could not be opened failed the whole drop")
struct FileOfNoModeFailedDrop {
  /// A property of a client's file that prevents another process from opening it.
  enum Obstacle: String, CaseIterable {
    /// No user has any permission.
    case mode
    /// Opening the file waits until a lease ends, or for 45 seconds.
    case lease

    /// Returns a sealed memfd with the obstacle.
    func file(_ bytes: [UInt8]) throws -> FileDescriptor {
      // F_SETLEASE needs a file that was opened; memfd_create(2) only creates one.
      let file = try TestFile.reopened(TestFile.memory(bytes), O_RDWR)
      try #require(clinux_seal(file.number) == 0)
      return file
    }

    func apply(to file: FileDescriptor) throws {
      switch self {
      case .mode: try #require(fchmod(file.number, 0) == 0)
      case .lease: try #require(fcntl(file.number, Self.setLease, Self.writeLease) == 0)
      }
    }

    // fcntl(2): F_SETLEASE, F_WRLCK.
    private static let setLease: Int32 = 1_024
    private static let writeLease: Int32 = 1
  }

  let daemon: Daemon
  let client: BusClient

  init() throws {
    // The mode does not restrict root, unless root has dropped the capability.
    let isRoot = getuid() == 0
    daemon = try Daemon(
      [], by: isRoot ? ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] : [])
    client = try daemon.client()
    // The kernel sends this signal to the holder of a lease.
    signal(SIGIO, SIG_IGN)
  }

  /// Begins a drag of two items: the file and a text.
  private func drag(_ file: FileDescriptor, as type: String) throws -> ObjectPath {
    let session = try client.beginDrag()
    _ = try client.call(DragSessionInterface.addItem, at: session, "")
    try client.call(DragSessionInterface.registerFile, at: session, 0, type, "all", file)
    _ = try client.call(DragSessionInterface.addText, at: session, "text")
    return session
  }

  private func check(_ session: ObjectPath, _ type: String, _ bytes: [UInt8]) throws {
    let start = ContinuousClock.now
    expect(try client.loadData(type, of: session), are: bytes)
    let loaded = try client.loadFile(type, of: session)
    #expect(TestFile.offset(of: loaded) == 0)
    expect(TestFile.rest(of: loaded), are: bytes)
    let rows = try client.drop(session).items
    try #require(rows.count == 2)
    expect(try client.call(BoardInterface.getData, rows[0], type), are: bytes)
    #expect(try client.call(BoardInterface.getText, rows[1]) == "text")
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test(
    "The file is read, before or after it is registered, and every item of the drop arrives",
    arguments: Obstacle.allCases, [10, 300_000])
  func obstacles(_ obstacle: Obstacle, size: Int) throws {
    for isEarly in [true, false] {
      let bytes = [UInt8].sample(size)
      let file = try obstacle.file(bytes)
      if isEarly { try obstacle.apply(to: file) }
      let session = try drag(file, as: "image/png")
      if !isEarly { try obstacle.apply(to: file) }
      try check(session, "image/png", bytes)
    }
  }

  @Test("Plain text of a file that cannot be opened is read, too", arguments: Obstacle.allCases)
  func text(_ obstacle: Obstacle) throws {
    let text = String(repeating: "é", count: 100_000)
    let file = try obstacle.file(Array(text.utf8))
    try obstacle.apply(to: file)
    try check(try drag(file, as: "UTF8_STRING"), "UTF8_STRING", Array(text.utf8))
  }

  @Test("A file that cannot be opened can be inserted as a row", arguments: Obstacle.allCases)
  func row(_ obstacle: Obstacle) throws {
    let bytes = [UInt8].sample(300_000)
    let file = try obstacle.file(bytes)
    try obstacle.apply(to: file)
    let item = try client.call(BoardInterface.insertFile, 0, -1, "image/png", file)
    expect(try client.call(BoardInterface.getData, item, "image/png"), are: bytes)
  }
}
