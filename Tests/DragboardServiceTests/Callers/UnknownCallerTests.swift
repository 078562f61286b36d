import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("Calls before the identification of their caller")
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

  @Test("8,192 calls of all clients wait, and the first small call of each; more are refused")
  func ofAll() throws {
    #expect(try refusals(of: 1_024, byEachOf: 9) == [0, 0, 0, 0, 0, 0, 0, 0, 1_023])
  }

  /// Returns the errors of calls of a new client, which fail later, because their section does not
  /// exist.
  private func errors(on daemon: Daemon, _ calls: [OutgoingMessage]) throws -> [String] {
    let client = try daemon.client()
    daemon.signal(SIGSTOP)
    let outstanding = client.send(calls)
    daemon.signal(SIGCONT)
    return outstanding.errors()
  }

  @Test("32 MiB of calls wait, and further calls are refused")
  func bytes() throws {
    let bytes = pattern(1 << 20)
    let errors = try errors(
      on: daemon, (0..<40).map { _ in call(BoardInterface.insertData, 9, -1, "a/b", bytes) })
    #expect(errors.prefix(31) == ArraySlice(repeating: "InvalidArgs", count: 31))
    #expect(errors.dropFirst(31) == ArraySlice(repeating: "LimitsExceeded", count: 9))
  }

  @Test("Calls with a quarter of the file descriptors wait, and further calls are refused")
  func descriptors() throws {
    let daemon = try Daemon([], by: ["prlimit", "--nofile=400:400"])
    let file = try TestFile.sealed([1, 2, 3])
    let errors = try errors(
      on: daemon, (0..<120).map { _ in call(BoardInterface.insertFile, 9, -1, "a/b", file) })
    #expect(errors.prefix(100) == ArraySlice(repeating: "InvalidArgs", count: 100))
    #expect(errors.dropFirst(100) == ArraySlice(repeating: "LimitsExceeded", count: 20))
  }
}
