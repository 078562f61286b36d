public import LinkModel
internal import Synchronization
internal import Text

/// The identity of a group of machines and its keys.
///
/// The latest key seals new entries; earlier keys open old entries.
public final class GroupKeys: Sendable {
  /// The identity: 16 random bytes.
  public let id: LogID
  /// The key from which the names of streams and contents on the server are computed.
  ///
  /// It never changes, because the names must not change.
  let nameKey: [UInt8]

  private struct State {
    var keys: [UInt32: GroupKey]
    var waiting: [Int: (epoch: UInt32, continuation: CheckedContinuation<Void, Never>)] = [:]
    var nextWaiting = 0
  }

  private let state: Mutex<State>

  /// Creates a group with one key.
  public static func random() -> GroupKeys {
    GroupKeys(
      id: .random(), nameKey: Sodium.random(Sodium.keySize), keys: [.random(epoch: 1)])
  }

  init(id: LogID, nameKey: [UInt8], keys: [GroupKey]) {
    precondition(!keys.isEmpty && nameKey.count == Sodium.keySize)
    self.id = id
    self.nameKey = nameKey
    state = Mutex(State(keys: Dictionary(keys.map { ($0.epoch, $0) }) { first, _ in first }))
  }

  /// All keys, the earliest first.
  public var all: [GroupKey] {
    state.withLock { $0.keys.values.sorted { $0.epoch < $1.epoch } }
  }

  /// The latest key.
  public var latest: GroupKey {
    state.withLock { state in
      guard let key = state.keys.values.max(by: { $0.epoch < $1.epoch }) else {
        preconditionFailure("a group has a key")
      }
      return key
    }
  }

  subscript(epoch: UInt32) -> GroupKey? { state.withLock { $0.keys[epoch] } }

  /// Adds a key if no key of its epoch exists.
  func add(_ key: GroupKey) {
    let ready = state.withLock { state in
      if state.keys[key.epoch] == nil { state.keys[key.epoch] = key }
      let ready = state.waiting.filter { $0.value.epoch == key.epoch }
      for number in ready.keys { state.waiting[number] = nil }
      return ready.values.map(\.continuation)
    }
    for continuation in ready { continuation.resume() }
  }

  /// Returns the key of an epoch.
  ///
  /// Waits up to `limit` for a key that has not arrived yet.
  func key(_ epoch: UInt32, within limit: Duration) async throws(LinkError) -> GroupKey {
    if let key = self[epoch] { return key }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.wait(for: epoch) }
      group.addTask { try? await Task.sleep(for: limit) }
      await group.next()
      group.cancelAll()
    }
    guard let key = self[epoch] else { throw .unknownKey(epoch: epoch) }
    return key
  }

  private func wait(for epoch: UInt32) async {
    let number = state.withLock { state in
      state.nextWaiting += 1
      return state.nextWaiting
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          // If the task is already cancelled, its cancellation handler may have run and found
          // nothing.
          if state.keys[epoch] != nil || Task.isCancelled { return true }
          state.waiting[number] = (epoch, continuation)
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: number) }?.continuation.resume()
    }
  }

  /// Returns the name of a log or a content on the server.
  ///
  /// The name reveals neither the id nor the hash.
  func name(of kind: String, _ bytes: [UInt8]) -> String {
    Hexadecimal.digits(of: Sodium.hash(Array(kind.utf8) + [0] + bytes, key: nameKey).prefix(20))
  }
}
