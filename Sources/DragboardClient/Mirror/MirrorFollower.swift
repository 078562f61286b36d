import DBus
import DragboardInterface

/// A mirror's machine, the subscriptions that tell it what happens, and whoever waits for it.
///
/// Unchecked, because everything but its end is confined to the loop's thread.
final class MirrorFollower: @unchecked Sendable {
  let board: ObjectPath
  let bell = EventBuffer<Void>(capacity: 1, overflow: ()) { _, _ in () }
  var machine = MirrorMachine()
  private let bus: Connection
  private var subscriptions: [Subscription] = []

  init(_ board: ObjectPath, on bus: Connection) {
    self.board = board
    self.bus = bus
  }

  deinit {
    let (bus, subscriptions) = (bus, subscriptions)
    bus.loop.perform { for subscription in subscriptions { bus.unsubscribe(subscription) } }
  }

  /// Takes over subscriptions, which end with the follower.
  func keep(_ subscriptions: [Subscription]) { self.subscriptions = subscriptions }

  /// Reports to the machine, and wakes whoever waits.
  func report(_ body: (inout MirrorMachine) -> Void) {
    body(&machine)
    bell.send(())
  }

  /// Takes a Changed; one that cannot be read is a reset.
  func receive(_ from: UInt64, _ to: UInt64, _ changes: [BoardInterface.Change]) {
    let read = (try? BoardChange.all(changes)) ?? nil
    report { $0.didChange(from: from, to: to, read) }
  }
}

extension DragboardConnection {
  /// Begins to listen to a board.
  func follow(_ board: ObjectPath) -> MirrorFollower {
    let follower = MirrorFollower(board, on: bus)
    follower.keep([
      subscribe(to: BoardInterface.changed, from: board) { [weak follower] from, to, changes in
        follower?.receive(from, to, changes)
      },
      subscribe(to: ObjectManagerInterface.removed, from: Dragboard.root) {
        [weak follower] path, _ in
        guard path == board else { return }
        follower?.report { $0.didDisappear() }
      },
      bus.watchOwner(of: Dragboard.busName) { [weak follower] owner in
        follower?.report { machine in
          if owner == nil { machine.didLoseDaemon() } else { machine.didFindDaemon() }
        }
      },
    ])
    _ = disconnection.whenItHappens { [weak follower] in
      follower?.bell.finish(.failure(.disconnected))
    }
    return follower
  }

  /// Does what the mirror's machine says until it has something to tell; nil when the board is gone.
  func nextUpdate(of follower: MirrorFollower) async throws(DragboardError) -> BoardUpdate? {
    while true {
      switch follower.machine.next() {
      case .tell(let update): return update
      case .end: return nil
      case .fail(let error): throw error
      case .wait: guard try await follower.bell.next() != nil else { return nil }
      case .askSnapshot: try await readSnapshot(for: follower)
      case .askChanges(let revision): try await readChanges(since: revision, for: follower)
      }
    }
  }

  private func readSnapshot(for follower: MirrorFollower) async throws(DragboardError) {
    do throws(DragboardError) {
      let (revision, sections) = try await call(BoardInterface.getSnapshot, at: follower.board)
      follower.machine.didRead(try BoardSnapshot(revision, sections))
    } catch { try note(error, for: follower) }
  }

  private func readChanges(
    since revision: UInt64, for follower: MirrorFollower
  ) async throws(DragboardError) {
    do throws(DragboardError) {
      let (to, changes) = try await call(BoardInterface.getChanges, at: follower.board, revision)
      if let changes = try BoardChange.all(changes) {
        follower.machine.didRead(BoardChanges(revision: to, changes: changes))
      } else {
        follower.machine.didRefuseChanges()
      }
    } catch  where Self.refusals.contains(error.reason) {
      follower.machine.didRefuseChanges()
    } catch { try note(error, for: follower) }
  }

  /// Too long ago, of a revision that this daemon has not seen, or of a daemon that tells of none.
  private static let refusals: Set<DragboardError.Reason> = [
    .staleRevision, .invalidArguments, .unsupported, .malformedReply,
  ]

  private func note(
    _ error: DragboardError, for follower: MirrorFollower
  ) throws(DragboardError) {
    switch error.reason {
    case .cancelled, .disconnected: throw error
    case .noSuchBoard where follower.machine.hasCopy: follower.machine.didDisappear()
    default: follower.machine.didFail(error)
    }
  }
}
