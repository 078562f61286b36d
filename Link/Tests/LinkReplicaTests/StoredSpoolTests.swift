import Files
import Foundation
import LinkModel
import LinkReplica
import LinkState
import Testing

/// Contents in the directory of the link.
struct StoredSpoolTests {
  private let folder: String
  private let stored: StoredReplica

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "spool-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let log = "0123456789abcdef0123456789abcdef"
    stored = try StoredReplica(of: log, in: StateDatabase(in: folder))
  }

  private func put(_ bytes: [UInt8], in spool: StoredSpool) async throws -> ContentHash {
    let file = try await spool.makeFile()
    try file.write(bytes)
    let hash = ContentHash(of: bytes)
    try await spool.put(hash, .file(file))
    return hash
  }

  @Test
  func aContentSurvivesARestart() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let bytes = [UInt8](repeating: 7, count: 3 << 20)
    let hash = try await put(bytes, in: try StoredSpool(stored))
    let spool = try StoredSpool(stored)
    #expect(try await spool.get(hash)?.read(0..<bytes.count) == bytes)
    #expect(try await spool.contents(olderThan: .zero) == [hash: bytes.count])
  }

  @Test
  func aContentThatAPowerCutHasDamagedIsNotUsed() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let hash = try await put([UInt8](repeating: 7, count: 3 << 20), in: try StoredSpool(stored))
    let path = "\(folder)/contents/1/\(hash)"
    try #require(FileHandle(forWritingAtPath: path)).truncate(atOffset: 2 << 20)
    let spool = try StoredSpool(stored)
    #expect(try await spool.get(hash) == nil)
    #expect(try await spool.isEmpty)
  }
}
