import DragboardClient
import Foundation
import LinkModel
import LinkReplica
import LinkState
import SQLite
import Testing

/// Edits that the previous version of the link has read and not sent.
struct UpgradeTests {
  /// The number of edits: 2,000, or the value of `DRAGBOARD_TEST_PENDING`.
  static let count =
    ProcessInfo.processInfo.environment["DRAGBOARD_TEST_PENDING"].flatMap(Int.init) ?? 2_000

  @Test("Pending edits of the previous version are sent once", arguments: [true, false])
  func pendingEdits(isCompacted: Bool) async throws {
    let server = MemoryServer()
    let machines = [try await Machine(server), try await Machine(server)]
    for machine in machines { try machine.startLink() }
    try await machines[0].insert("common")
    let image = [UInt8](repeating: 7, count: 100_000)
    try await untilQuiet(machines)
    await server.setOnline(false)
    let board = machines[0].board
    for start in stride(from: 0, to: Self.count, by: 100) {
      try await board.insert((start..<min(start + 100, Self.count)).map { "row \($0)" })
    }
    try await board.insert(image, as: ContentType("image/png"))
    try await until(120) {
      let pending = await machines[0].loop?.status.pending
      return pending == Self.count + 1
    }
    await machines[0].stopLink()
    try EarlierState(of: machines[0], isCompacted: isCompacted).write()
    #expect(!FileManager.default.fileExists(atPath: "\(machines[0].stateFolder)/link.db"))
    await server.setOnline(true)
    try machines[0].startLink()
    try await untilQuiet(machines, 120)
    let files = try FileManager.default.contentsOfDirectory(atPath: machines[0].stateFolder)
    #expect(files.allSatisfy { $0.hasPrefix("link.db") || $0 == "contents" || $0 == "lock" })
    for machine in machines {
      let texts = try await machine.texts()["main"] ?? []
      let rows = ["common"] + (0..<Self.count).map { "row \($0)" }
      let difference = texts.filter { !$0.isEmpty }.sorted().difference(from: rows.sorted())
      #expect(Array(difference).isEmpty)
      #expect(texts.count == Self.count + 2)
    }
    let row = try await machines[1].board.row(at: RowPosition(section: 0, row: Self.count + 1))
    #expect(row.types == [ContentType("image/png")])
    let bytes = try await machines[1].board.file(of: row.id, as: ContentType("image/png")).bytes()
    #expect(bytes == image)
  }
}

/// The state of a machine in the files of the previous version.
private struct EarlierState {
  private let folder: String
  private let replica: [UInt8]
  private let events: [[UInt8]]
  private let contents: [(name: String, bytes: Data)]

  /// Reads the state of a machine whose link has ended.
  init(of machine: Machine, isCompacted: Bool) throws {
    folder = machine.stateFolder
    let state = try StateDatabase(in: folder)
    var (bytes, events): ([UInt8], [[UInt8]]) = ([], [])
    try state.read { connection in
      try connection.forEach("SELECT bytes FROM replica") { bytes = Array($0.bytes(0)) }
      try connection.forEach("SELECT bytes FROM event ORDER BY id") {
        events.append(Array($0.bytes(0)))
      }
    }
    if isCompacted {
      var replica = try Replica(bytes: bytes)
      replica.apply(try events.map { try ReplicaEvent(bytes: $0) })
      (bytes, events) = (try #require(replica.bytes), [])
    }
    // The previous version ended earlier. Only one beginning of the bytes is a complete replica.
    replica = try #require(
      (1..<100).lazy.map { [2] + bytes.dropFirst().dropLast($0) }.first {
        (try? Replica(bytes: $0)) != nil
      })
    self.events = events
    let contents = "\(folder)/contents/1"
    self.contents = try FileManager.default.contentsOfDirectory(atPath: contents).map { name in
      (name, try #require(FileManager.default.contents(atPath: "\(contents)/\(name)")))
    }
    #expect(self.contents.count == 1)
  }

  func write() throws {
    let files = FileManager.default
    try files.removeItem(atPath: folder)
    let log = "\(folder)/\(Machine.log)"
    try files.createDirectory(atPath: "\(log)/contents", withIntermediateDirectories: true)
    try Data(record([5]) + record(replica)).write(to: URL(filePath: "\(log)/replica"))
    // A crash has truncated the last record.
    try Data(events.flatMap(record) + [9, 0, 0, 0, 1, 2]).write(
      to: URL(filePath: "\(log)/journal-5"))
    for (name, bytes) in contents {
      try bytes.write(to: URL(filePath: "\(log)/contents/\(name)"))
    }
    #expect(files.createFile(atPath: "\(log)/lock", contents: nil))
  }

  /// Returns a record: number of the bytes, FNV-1a checksum, bytes.
  private func record(_ bytes: [UInt8]) -> [UInt8] {
    var sum: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return withUnsafeBytes(of: UInt32(bytes.count).littleEndian, Array.init)
      + withUnsafeBytes(of: sum.littleEndian, Array.init) + bytes
  }
}
