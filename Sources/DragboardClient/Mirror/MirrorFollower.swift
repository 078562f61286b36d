import DBus
import DragboardInterface

/// The driver of a mirror's state machine: it subscribes to signals, and performs the calls that
/// the machine requests.
///
/// Unchecked, because everything except `deinit` is confined to the loop's thread.
final class MirrorFollower: @unchecked Sendable {
  private let board: ObjectPath
  private let bus: Connection
  private var machine = MirrorMachine()
  private let wakeUps = EventBuffer<Void>(capacity: 1, overflow: ()) { _, _ in () }
  private var subscriptions: [Subscription] = []

  init(_ board: ObjectPath, on connection: isolated DragboardConnection) {
    self.board = board
    bus = connection.bus
    subscriptions = [
      connection.subscribe(to: BoardInterface.changed, from: board) {
        [weak self] from, to, changes in
        // A malformed change is treated as a reset.
        self?.report { $0.didChange(from: from, to: to, (try? BoardChange.all(changes)) ?? nil) }
      },
      connection.subscribe(to: ObjectManagerInterface.removed, from: Dragboard.root) {
        [weak self] path, _ in
        guard path == board else { return }
        self?.report { $0.didDisappear() }
      },
      bus.names.watchOwner(of: Dragboard.busName) { [weak self] owner in
        self?.report { if owner == nil { $0.didLoseDaemon() } else { $0.didFindDaemon() } }
      },
    ]
    _ = connection.disconnection.whenItHappens { [wakeUps] in
      wakeUps.finish(.failure(.disconnected))
    }
  }

  deinit {
    let (bus, subscriptions) = (bus, subscriptions)
    bus.loop.perform { for subscription in subscriptions { bus.unsubscribe(subscription) } }
  }

  private func report(_ body: (inout MirrorMachine) -> Void) {
    body(&machine)
    wakeUps.send(())
  }

  /// Performs the machine's steps until it has an update; nil when the board is deleted.
  func nextUpdate(
    on connection: isolated DragboardConnection
  ) async throws(DragboardError) -> BoardUpdate? {
    while true {
      switch machine.next() {
      case .report(let update): return update
      case .end: return nil
      case .fail(let error): throw error
      case .wait: guard try await wakeUps.next() != nil else { return nil }
      case .askSnapshot: try await readSnapshot(on: connection)
      case .askChanges(let revision): try await readChanges(since: revision, on: connection)
      }
    }
  }

  private func readSnapshot(
    on connection: isolated DragboardConnection
  ) async throws(DragboardError) {
    do throws(DragboardError) {
      let (revision, sections) = try await connection.call(BoardInterface.getSnapshot, at: board)
      machine.didRead(try BoardSnapshot(revision, sections))
    } catch { try note(error) }
  }

  private func readChanges(
    since revision: UInt64, on connection: isolated DragboardConnection
  ) async throws(DragboardError) {
    do throws(DragboardError) {
      let (to, changes) = try await connection.call(
        BoardInterface.getChanges, at: board, revision)
      if let changes = try BoardChange.all(changes) {
        machine.didRead(BoardChanges(revision: to, changes: changes))
      } else {
        machine.didRefuseChanges()
      }
    } catch  where Self.refusals.contains(error.reason) {
      machine.didRefuseChanges()
    } catch { try note(error) }
  }

  /// The errors of GetChanges after which the mirror reads the whole board.
  ///
  /// The revision is too old, or the daemon does not know it; the daemon has no GetChanges; or the
  /// reply is malformed.
  private static let refusals: Set<DragboardError.Reason> = [
    .staleRevision, .invalidArguments, .unsupported, .malformedReply,
  ]

  private func note(_ error: DragboardError) throws(DragboardError) {
    switch error.reason {
    case .cancelled, .disconnected: throw error
    case .noSuchBoard where machine.hasCopy: machine.didDisappear()
    default: machine.didFail(error)
    }
  }
}
