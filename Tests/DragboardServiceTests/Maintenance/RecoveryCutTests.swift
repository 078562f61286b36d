import DragboardRecovery
import DragboardStore
import Foundation
import TestSupport
import Testing

@Suite("Power cuts during a recovery")
struct RecoveryCutTests {
  private let scene: DamagedScene
  private let damaged: Data
  private let recorder: Recorder
  private let environment: [String: String]

  init() throws {
    scene = try DamagedScene()
    _ = try scene.stop()
    try scene.damage(.header)
    damaged = try scene.databaseBytes()
    recorder = try Recorder()
    environment = recorder.environment(scene.data, before: [:])
  }

  @Test("A kill in a recovery and a power cut in the next lose neither rows nor damaged files")
  func cuts() throws {
    var disk = try SimulatedDisk(of: scene.data)
    let first = try recover()
    var whole = disk
    for operation in first { whole.take(operation) }
    let rows = try rows(after: whole, .none)
    #expect(rows.items.count == 200)
    var count = 0
    for operation in first {
      if operation.isStep { count += try check(killedAt: disk, rows) }
      disk.take(operation)
    }
    #expect(count > 100)
    print("\(count) power cuts amid recoveries that had been killed before")
  }

  @Test(
    "A file that a continued recovery cannot read does not count as missing",
    arguments: 0..<10)
  func lookups(ahead: Int) throws {
    try scene.daemon.start()
    let texts = try scene.daemon.client().texts()
    _ = scene.daemon.terminate()
    // Restores the state before the new database was moved.
    let aside = try #require(try scene.setAside().first)
    try FileManager.default.moveItem(
      atPath: scene.data + "/boards.db", toPath: aside + "/recovered.db")
    try? FileManager.default.removeItem(atPath: scene.data + "/boards.db-wal")
    let refuser = try Refuser()
    refuser.refuse(.lookups, .EIO, after: ahead, count: 1)
    if (try? scene.daemon.start(environment: refuser.environment(scene.data))) != nil {
      #expect(try scene.daemon.client().texts() == texts)
      scene.daemon.kill()
    }
    refuser.relent()
    try scene.daemon.start()
    #expect(try scene.daemon.client().texts() == texts)
    #expect(try Data(contentsOf: URL(fileURLWithPath: aside + "/boards.db")) == damaged)
  }

  /// Starts the daemon and kills it; returns its operations in the directory.
  private func recover() throws -> [RecordedOperation] {
    let position = recorder.position
    try scene.daemon.start(environment: environment)
    try recorder.betweenCalls(scene.daemon.kill)
    return try recorder.operations(since: position)
  }

  /// Lets a daemon continue the recovery of a killed daemon, cuts the power at each step, and
  /// checks the remaining files; returns the number of cuts.
  private func check(killedAt killed: SimulatedDisk, _ rows: StoreInventory) throws -> Int {
    var numbers = SplitMix64(seed: 3)
    try FileManager.default.removeItem(atPath: scene.data)
    try killed.restore(scene.data, as: scene.data, .none, &numbers)
    var disk = killed
    try disk.adoptFiles(in: scene.data)
    var count = 0
    for operation in try recover() {
      if operation.isSync {
        for loss in [SimulatedDisk.Loss.all, .head(killed.time + 1), .some] {
          let comment: Comment = "\(loss) lost at \(disk.time), killed at \(killed.time)"
          #expect(try self.rows(after: disk, loss) == rows, comment)
          count += 1
        }
      }
      disk.take(operation)
    }
    return count
  }

  /// Returns the stored rows after a power cut, and checks that the damaged files are still there.
  private func rows(
    after disk: SimulatedDisk, _ loss: SimulatedDisk.Loss
  ) throws -> StoreInventory {
    var numbers = SplitMix64(seed: UInt64(disk.time))
    let home = FileManager.default.temporaryDirectory.appending(path: "cut-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    try disk.restore(scene.data, as: home.path, loss, &numbers)
    let inventory = try StoreInventory(BoardStore.open(in: home.path))
    let folders = try FileManager.default.contentsOfDirectory(atPath: home.path)
    let isKept = folders.contains { folder in
      (try? Data(contentsOf: home.appending(path: folder + "/boards.db"))) == damaged
    }
    #expect(isKept, "\(loss) lost at \(disk.time): \(folders)")
    return inventory
  }
}

extension RecordedOperation {
  /// Whether the operation changes names or makes something durable.
  fileprivate var isStep: Bool {
    switch self {
    case .write, .truncate, .send: false
    default: true
    }
  }
}
