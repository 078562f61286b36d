import DBus
import DragboardService
import DragboardStore
import Foundation
import Logging
import TestSupport
import Testing

@testable import dragboardd

/// A service on a private bus and a separate thread of this process, with a store that can fail.
///
/// `@unchecked` is safe, because only the loop's thread uses the service while the thread runs.
final class ServiceThread: @unchecked Sendable {
  let bus: PrivateBus
  /// The requests to the store.
  let orders: FaultyStore.Orders
  private let loop: EventLoop
  private let service: Service
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Starts the service; `now` returns the time, in microseconds since 1970, and `elapsed` the time
  /// since any moment.
  init(
    limits: Limits = Limits(), now: @escaping @Sendable () -> UInt64 = { 1 },
    elapsed: (@Sendable () -> Duration)? = nil
  ) throws {
    bus = try PrivateBus()
    loop = try EventLoop()
    let store = try FaultyStore(directory: bus.home.path + "/data/dragboard")
    orders = store.orders
    let connection = try Connection(to: bus.address, on: loop)
    // On a busy machine, the calls of a batch are handled in one iteration, too.
    connection.maxIterationTime = 60_000_000_000
    service = Service(
      on: connection, store: store, limits: limits,
      log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, now: now, elapsed: elapsed)
    try #require(try service.start())
    let thread = Thread { [self] in
      loop.run()
      service.stop()
      hasEnded.signal()
    }
    thread.start()
  }

  /// Returns the size of the database in bytes, without its log.
  func databaseSize() throws -> Int {
    try bus.home.appending(path: "data/dragboard/boards.db").resourceValues(
      forKeys: [.fileSizeKey]
    ).fileSize ?? 0
  }

  /// Ends the service, and waits until it has left the bus.
  func stop() {
    loop.stop()
    hasEnded.wait()
  }

  /// Returns a new client.
  func client() throws -> BusClient { try BusClient(to: bus.address) }

  /// Runs `body`; the service handles nothing before everything that `body` sends has arrived.
  func whilePaused<Result>(_ body: () throws -> Result) rethrows -> Result {
    let (isPaused, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    loop.perform {
      isPaused.signal()
      mayGoOn.wait()
    }
    isPaused.wait()
    defer { mayGoOn.signal() }
    return try body()
  }
}
