import DBus
import DragboardInterface
import Foundation
import TestSupport

/// A connection that keeps a copy of a board, and counts the drags that began and have not ended.
///
/// `@unchecked` is safe, because it is confined to the loop's thread.
final class SoakWatch: @unchecked Sendable {
  private let connection: Connection
  private var replica: Replica?
  /// The drags that began, and have not ended.
  private(set) var active: Set<String> = []
  /// The number of drags that have ended.
  private(set) var ended = 0
  /// The differences that were found.
  private(set) var faults: [String] = []

  init(to address: String, on loop: EventLoop) throws {
    connection = try Connection(to: address, on: loop)
    connection.subscribe(to: BoardInterface.changed, from: BusClient.board) {
      [unowned self] from, to, changes in
      do { try replica?.apply(from, to, changes) } catch { faults.append("\(error)") }
    }
    connection.subscribe(to: ManagerInterface.dragBegan) { [unowned self] session, _ in
      if !active.insert(session.text).inserted { faults.append("\(session) began twice") }
    }
    connection.subscribe(to: ManagerInterface.dragEnded) { [unowned self] session, _, _ in
      ended += 1
      if active.remove(session.text) == nil { faults.append("\(session) ended and had not begun") }
    }
  }

  /// Ignores the board until `begin`.
  func pause() { replica = nil }

  /// Continues with a new daemon, which has no sessions: a killed daemon does not report the end of
  /// its sessions.
  func begin(_ board: Replica) { (active, replica) = ([], board) }

  /// Compares the copy with the current board, after all earlier signals.
  func check(_ isSame: @escaping (Bool) -> Void) {
    connection.send(call(BoardInterface.getSnapshot)) { [self] result in
      let board = (try? result.get()).flatMap {
        try? $0.arguments(as: UInt64.self, [BoardInterface.Section].self)
      }
      isSame(board.map { Replica(($0.0, $0.1)) == replica } ?? false)
    }
  }

  func leave() { connection.close() }
}

/// The resources of the daemon that must not grow with use.
struct SoakFigures: CustomStringConvertible {
  let descriptors: Int
  let ownKibibytes: Int
  let matchRules: UInt32
  let sessions: Int

  /// Reads the figures at a quiet point.
  init(_ daemon: Daemon, _ client: BusClient) throws {
    let process = "/proc/\(daemon.id)"
    descriptors = try FileManager.default.contentsOfDirectory(atPath: process + "/fd").count
    ownKibibytes = daemon.kibibytes("RssAnon")
    let question = OutgoingMessage.call(
      "GetConnectionStats", of: "org.freedesktop.DBus.Debug.Stats", at: BusInterface.path, to: .bus)
    question.append(Dragboard.busName.text)
    let stats = try? client.wait(for: question).arguments(as: [String: Variant].self)
    if case .uint32(let count)? = stats?["MatchRules"]?.value {
      matchRules = count
    } else {
      matchRules = 0
    }
    sessions = try client.get(ManagerInterface.sessions, at: Dragboard.root).count
  }

  var description: String {
    "\(descriptors) descriptors, \(ownKibibytes) KiB of its own, \(matchRules) match rules, \(sessions) sessions"
  }
}
