import Dispatch
import DragboardClient
import Glibc
import LinkModel
import Synchronization

/// The transfer of one representation from another machine into the pipe of a promise.
///
/// It runs on the thread of the promise. Some chunks are requested before the pipe takes the first
/// of them, so that the transfer does not wait for each reply.
struct DragTransfer {
  private let key: DragKey
  private let item: Int
  private let type: String
  private let machine: MachineKey
  private let relay: DragRelay
  private let writer: PromiseWriter

  /// The maximum number of chunks that are requested and not written yet.
  private static let window = 4
  /// The interval at which a waiting transfer checks whether the bytes are still wanted.
  private static let interval = DispatchTimeInterval.milliseconds(200)

  init(
    _ key: DragKey, _ item: Int, _ type: String, from machine: MachineKey, over relay: DragRelay,
    into writer: PromiseWriter
  ) {
    (self.key, self.item, self.type, self.machine) = (key, item, type, machine)
    (self.relay, self.writer) = (relay, writer)
  }

  /// Writes all bytes.
  ///
  /// - Throws: `DragFailure` if the other machine cannot provide them; `PromiseWriter.NotWanted`.
  func run() throws {
    let (key, item, type, machine, relay) = (key, item, type, machine, relay)
    try wait { try await relay.accept(key, from: machine) }
    let reply = try wait {
      try await relay.request(.load(key, item: item, type: type), to: machine)
    }
    guard case .loaded(let load, let byteCount) = reply else { throw Self.malformed }
    defer { Task { await relay.notify(.release(key, load: load), to: machine) } }
    try copy(load, byteCount)
  }

  private func copy(_ load: UInt64, _ byteCount: UInt64) throws {
    let (key, machine, relay) = (key, machine, relay)
    var offset: UInt64 = 0
    var (next, requested): (UInt64, [Task<DragReply, any Error>]) = (0, [])
    defer { for task in requested { task.cancel() } }
    while offset < byteCount {
      while requested.count < Self.window, next < byteCount {
        let start = next
        requested.append(
          Task { try await relay.request(.read(key, load: load, offset: start), to: machine) })
        next += UInt64(DragMessage.chunkSize)
      }
      let task = requested.removeFirst()
      let reply = try withTaskHandle(task) { try wait { try await task.value } }
      // Each reply belongs to the request of one load and offset, and each chunk but the last is
      // whole. So the bytes are complete and in order.
      guard case .bytes(let bytes) = reply,
        UInt64(bytes.count) == min(byteCount - offset, UInt64(DragMessage.chunkSize))
      else { throw Self.malformed }
      try writer.write(bytes)
      offset += UInt64(bytes.count)
    }
  }

  /// Cancels the task if `body` fails.
  private func withTaskHandle<Result>(
    _ task: Task<DragReply, any Error>, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch {
      task.cancel()
      throw error
    }
  }

  private static let malformed = DragFailure(description: "the other machine sent other data")

  /// Runs `body` as a task, and blocks until it ends or the bytes are not wanted any longer.
  private func wait<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) throws -> Result {
    let outcome = Outcome<Result>()
    let task = Task {
      do { outcome.set(.success(try await body())) } catch { outcome.set(.failure(error)) }
    }
    while outcome.isReady.wait(timeout: .now() + Self.interval) == .timedOut {
      guard try writer.withDescriptor({ !Self.hasNoReader($0) }) else {
        task.cancel()
        throw DragFailure(description: "the bytes are no longer needed")
      }
    }
    return try outcome.get()
  }

  private static func hasNoReader(_ pipe: Int32) -> Bool {
    var state = pollfd(fd: pipe, events: 0, revents: 0)
    return poll(&state, 1, 0) > 0 && state.revents & Int16(POLLERR) != 0
  }
}

/// The outcome of a task for which a thread waits.
private final class Outcome<Value: Sendable>: Sendable {
  let isReady = DispatchSemaphore(value: 0)
  private let result = Mutex<Result<Value, any Error>?>(nil)

  func set(_ result: Result<Value, any Error>) {
    self.result.withLock { $0 = result }
    isReady.signal()
  }

  func get() throws -> Value {
    guard let result = result.withLock(\.self) else {
      throw DragFailure(description: "no result")
    }
    return try result.get()
  }
}
