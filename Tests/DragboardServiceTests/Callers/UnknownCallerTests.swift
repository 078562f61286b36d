import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("Calls before the identification of their caller", .timeLimit(.minutes(20)))
struct UnknownCallerTests {
  private let daemon: Daemon

  init() throws { daemon = try Daemon() }

  /// Returns the number of refused calls of each of some new clients, if each makes `count` calls
  /// before the daemon identifies the first client.
  private func refusals(of count: Int, byEachOf clients: Int) throws -> [Int] {
    let clients = try (0..<clients).map { _ in try daemon.client() }
    daemon.signal(SIGSTOP)
    let outstanding = clients.map { client in
      client.send((0..<count).map { _ in getting(BoardInterface.count) })
    }
    daemon.signal(SIGCONT)
    return outstanding.map { calls in
      let errors = calls.errors()
      #expect(Set(errors).isSubset(of: ["", "LimitsExceeded"]))
      return errors.count { $0 != "" }
    }
  }

  @Test("1,024 calls of a client wait, and more are refused")
  func ofOne() throws {
    #expect(try refusals(of: 1_100, byEachOf: 1) == [76])
    // The refused calls have released their slots.
    #expect(try refusals(of: 1_024, byEachOf: 1) == [0])
  }

  @Test("8,192 calls of all clients wait, and more are refused")
  func ofAll() throws {
    #expect(try refusals(of: 1_024, byEachOf: 9) == [0, 0, 0, 0, 0, 0, 0, 0, 1_024])
  }

  @Test("256 MiB of calls wait, a descriptor counts 1 MiB, and further calls are refused")
  func bytes() throws {
    let client = try daemon.client()
    daemon.signal(SIGSTOP)
    let file = try TestFile.sealed([1, 2, 3])
    // The waiting calls fail later, because their section does not exist.
    let outstanding = client.send(
      (0..<300).map { _ in call(BoardInterface.insertFile, 9, -1, "a/b", file) })
    daemon.signal(SIGCONT)
    let errors = outstanding.errors()
    #expect(errors.prefix(255) == ArraySlice(repeating: "InvalidArgs", count: 255))
    #expect(errors.dropFirst(256) == ArraySlice(repeating: "LimitsExceeded", count: 44))
  }
}
