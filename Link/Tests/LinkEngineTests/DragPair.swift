import DragboardClient
import Foundation
import LinkEngine
import Synchronization
import Testing

/// Two machines of a group, whose services run.
struct DragPair {
  let server: TestServer
  let anna: CommandMachine
  let bert: CommandMachine
  /// The connections of programs on the two machines.
  let source: DragboardConnection
  let destination: DragboardConnection

  /// Starts the machines; bert reaches the server through `relay`.
  init(relay: (TestServer) throws -> TestRelay? = { _ in nil }) async throws {
    server = try await TestServer()
    (anna, bert) = (try CommandMachine(), try CommandMachine())
    try anna.beginGroup(on: server, as: "anna")
    try anna.admit(bert, as: "bert")
    if let port = try relay(server)?.port {
      let store = bert.store
      var configuration = try #require(try store.load())
      configuration.server = try ServerAddress(url: "nats://127.0.0.1:\(port)")
      try store.save(configuration)
    }
    for machine in [anna, bert] { try machine.startService() }
    (source, destination) = (try await anna.connect(), try await bert.connect())
  }

  /// Waits for a drag of anna on bert.
  func arrival(
    where isRight: @escaping @Sendable (DragSession, SessionInfo) async throws -> Bool = {
      _, _ in true
    }
  ) async throws -> DragSession {
    let found = Mutex<DragSession?>(nil)
    try await eventually("the drag of anna is on bert") {
      for (session, info) in try await destination.sessions()
      where info.machine == "anna" && info.itemCount > 0 {
        guard try await !session.types(ofItem: info.itemCount - 1).isEmpty,
          try await isRight(session, info)
        else { continue }
        found.withLock { $0 = session }
        return true
      }
      return false
    }
    let session = found.withLock(\.self)
    return try #require(session)
  }

  func board() async throws -> DragboardClient.Board {
    try await destination.board(named: "default")
  }
}

/// A promise that a test keeps or lets wait.
final class TestPromise: Sendable {
  private let isReleased = DispatchSemaphore(value: 0)
  private let loads = Mutex(0)

  var loadCount: Int { loads.withLock(\.self) }

  func release() { isReleased.signal() }

  func item(_ type: ContentType, name: String = "", _ bytes: [UInt8]) -> DragItem {
    DragItem(
      suggestedName: name,
      [
        .init(
          type,
          .promise(
            Promise { [self] writer in
              loads.withLock { $0 += 1 }
              isReleased.wait()
              isReleased.signal()
              try writer.write(bytes)
            }))
      ])
  }
}

extension ActiveDrag.Outcome {
  /// The operation, the items that arrived and the items that failed.
  var words: String { "\(operation) \(loaded) \(failed)" }
}
