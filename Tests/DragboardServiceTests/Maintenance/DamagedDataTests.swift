import DBus
import DragboardInterface
import Files
import Foundation
import SQLite
import TestSupport
import Testing

@testable import DragboardRecovery
@testable import DragboardStore

@Suite("Data that is damaged or unusable")
struct DamagedDataTests {
  private let scene: DamagedScene

  init() throws { scene = try DamagedScene() }

  @Test(
    "The start recovers readable data and moves the rest; the log and doctor report it",
    arguments: DamagedScene.Damage.allCases)
  func damaged(damage: DamagedScene.Damage) throws {
    let before = try scene.stop()
    try scene.damage(damage)
    let bytes = try scene.databaseBytes()
    try scene.daemon.start()
    #expect(scene.daemon.said.count == 1)
    #expect(scene.daemon.said.first?.contains("the database was damaged") == true)

    let client = try scene.daemon.client()
    let texts = try client.texts()
    #expect(texts == before.filter(Set(texts).contains))
    #expect(texts.count >= damage.minRows)
    try client.insert(["new"])
    let aside = try #require(try scene.setAside().first)
    #expect(scene.daemon.said.first?.contains(aside) == true)
    #expect(try Data(contentsOf: URL(fileURLWithPath: aside + "/boards.db")) == bytes)
    #expect(try scene.doctor("recovery")?.contains(aside) == true)

    _ = scene.daemon.terminate()
    try scene.daemon.start()
    #expect(scene.daemon.said.isEmpty)
    #expect(try scene.daemon.client().texts() == texts + ["new"])
    #expect(try scene.setAside() == [aside])
  }

  @Test(
    "Damage that is found later fails only calls that need it; the next start recovers the rest"
  )
  func later() throws {
    let before = try scene.stop()
    try scene.damagePage(of: "row 150 ")
    try scene.daemon.start()
    let client = try scene.daemon.client()
    let items = try client.call(BoardInterface.getSnapshot).1[0].members.1
    expect(.ioError) { _ = try client.call(BoardInterface.getText, items[150]) }
    #expect(scene.daemon.nextLogLine()?.contains("damaged") == true)
    #expect(try client.call(BoardInterface.getText, items[0]) == before[0])
    try client.insert(["meanwhile"])
    _ = try client.call(BoardInterface.moveRow, 0, 0, 0, 1)
    #expect(try scene.doctor("database")?.contains("damaged") == true)

    _ = scene.daemon.terminate()
    try scene.daemon.start()
    #expect(scene.daemon.said.first?.contains("the database was damaged") == true)
    let texts = try scene.daemon.client().texts()
    #expect(texts.prefix(2) == [before[1], before[0]])
    #expect(texts.last == "meanwhile")
    #expect(!texts.contains(before[150]))
    #expect(texts.count > 180)
    #expect(try scene.doctor("database") == nil)
  }

  @Test("A database of a later release does not change; the daemon and doctor report it")
  func newer() throws {
    _ = try scene.stop()
    try scene.execute("PRAGMA user_version = \(DataFiles.databaseVersion + 1)")
    let bytes = try scene.databaseBytes()
    #expect(Schema.steps.count == Schema.version)
    let result = try scene.runDaemon()
    #expect(result.status == .exited(1))
    #expect(result.errors.contains("later release"))
    #expect(try scene.databaseBytes() == bytes)
    #expect(try scene.setAside().isEmpty)
    #expect(try scene.doctor("database")?.contains("later release") == true)
  }

  @Test("A database that another program has locked is used when it is unlocked")
  func locked() throws {
    let before = try scene.stop()
    do {
      let lock = try scene.lock()
      let result = try scene.runDaemon()
      #expect(result.status == .exited(3))
      #expect(result.errors.contains("\(getpid())"))
      #expect(try scene.doctor("database")?.contains("\(getpid())") == true)
      withExtendedLifetime(lock) {}
    }
    try scene.daemon.start()
    #expect(try scene.daemon.client().texts() == before)
    #expect(throws: SQLiteError.self, "while the daemon has it, nobody else does") {
      try scene.execute("DELETE FROM board")
    }
  }

  @Test(
    "On a full disk the daemon starts and reads; edits work when there is room",
    .enabled(if: SmallDisk.isPossible, "this process may not mount a file system"))
  func fullAtStart() throws {
    let disk = try SmallDisk()
    let daemon = try Daemon(["--data", disk.path + "/data"])
    try daemon.client().insert(["kept"])
    _ = daemon.terminate()
    disk.fill()
    try daemon.start()
    let client = try daemon.client()
    #expect(try client.texts() == ["kept"])
    expect(.ioError) { try client.insert(["x"]) }
    #expect(try client.texts() == ["kept"])
    #expect(try scene.doctor("disk", of: disk.path + "/data")?.contains("full") == true)
    disk.makeRoom()
    try client.insert(["y"])
    daemon.kill()
    try daemon.start()
    #expect(try daemon.client().texts() == ["kept", "y"])
  }

  @Test(
    "If the directory is not writable, the daemon does not start; the errors name the directory",
    .enabled(if: SmallDisk.isPossible, "this process may not mount a file system"))
  func readOnlyAtStart() throws {
    let disk = try SmallDisk()
    let data = disk.path + "/data"
    let daemon = try Daemon(["--data", data])
    try daemon.client().insert(["kept"])
    _ = daemon.terminate()
    try disk.setReadOnly(true)
    let failure = #expect(throws: PrivateBus.StartFailure.self) { try daemon.start() }
    #expect(failure?.words.contains(data) == true)
    #expect(try scene.doctor("data", of: data)?.contains("ead-only") == true)
    try disk.setReadOnly(false)
    try daemon.start()
    #expect(try daemon.client().texts() == ["kept"])
  }
}

/// A daemon with 200 rows, whose database the test damages after the daemon has exited.
final class DamagedScene {
  /// A kind of damage to a database.
  enum Damage: CaseIterable {
    case header, firstPage, pageOfBlocks, end, half, everything

    /// The minimum number of rows that are recovered.
    var minRows: Int {
      switch self {
      case .header, .pageOfBlocks, .firstPage: 200
      case .end: 150
      case .half: 20
      case .everything: 0
      }
    }
  }

  let daemon: Daemon
  /// The data directory.
  let data: String
  private var database: String { data + "/boards.db" }

  init() throws {
    daemon = try Daemon()
    data = daemon.bus.home.path + "/data/dragboard"
    try daemon.client().insert(
      (0..<200).map { "row \($0) " + String(repeating: "text ", count: 60) })
  }

  /// Ends the daemon, so that everything is in the database; returns the texts.
  func stop() throws -> [String] {
    let texts = try daemon.client().texts()
    _ = daemon.terminate()
    try execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return texts
  }

  func databaseBytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: database)) }

  private func change(_ body: (inout Data) throws -> Void) throws {
    var bytes = try databaseBytes()
    try body(&bytes)
    try bytes.write(to: URL(fileURLWithPath: database))
  }

  func damage(_ damage: Damage) throws {
    let page = PageImage.pageSize
    try change { bytes in
      switch damage {
      case .header: bytes.replaceSubrange(0..<60, with: Data(count: 60))
      case .firstPage: bytes.replaceSubrange(0..<page, with: Data(count: page))
      case .pageOfBlocks:
        let number = try root(of: "block")
        bytes.replaceSubrange((number - 1) * page..<number * page, with: Data(count: page))
      case .end: bytes.removeLast(2 * page)
      case .half: bytes.removeLast(bytes.count / 2)
      case .everything: bytes = Data(count: 10_000)
      }
    }
  }

  /// Damages the page that contains a text.
  func damagePage(of text: String) throws {
    try change { bytes in
      let place = try #require(bytes.range(of: Data(text.utf8))).lowerBound
      let start = place / PageImage.pageSize * PageImage.pageSize
      bytes.replaceSubrange(
        start..<start + PageImage.pageSize, with: Data(repeating: 0xFF, count: PageImage.pageSize))
    }
  }

  private func open() throws -> Database {
    try Database(path: database, holding: StoreLock(directory: daemon.bus.home.path))
  }

  private func root(of table: String) throws -> Int {
    Int(try open().integer("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'"))
  }

  /// Runs SQL in another connection.
  func execute(_ sql: String) throws { try open().execute(sql) }

  /// Locks the database in another connection until the returned object is released.
  func lock() throws -> AnyObject {
    let database = try open()
    try database.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
    return database
  }

  /// Runs a daemon that is not expected to serve.
  func runDaemon() throws -> CommandResult { try daemon.run(builtProduct("dragboardd"), []) }

  /// Returns the directories of databases that were moved away.
  func setAside() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: data).filter { $0.hasPrefix("damaged-") }
      .map { data + "/" + $0 }
  }

  /// Returns the finding of `dragboard doctor` about a subject; nil if there is none.
  func doctor(_ subject: String, of folder: String? = nil) throws -> String? {
    let result = try daemon.run(
      builtProduct("dragboard"), ["doctor", "--json", "--data", folder ?? data])
    return result.output.split(separator: "\n").map(String.init).first {
      $0.contains("\"subject\":\"\(subject)\"") && !$0.contains("\"state\":\"good\"")
    }
  }
}
