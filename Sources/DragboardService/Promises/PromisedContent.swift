import DBus
import DragModel
import DragboardInterface
import DragboardStore
import Files

/// A representation that its source creates on request.
///
/// Several requests share one load. Requests after the load get its bytes at once. After a failed
/// load, the next request starts a new load.
///
/// Unchecked, because it is confined to the connection's loop, like the whole service.
final class PromisedContent: RepresentationContent, @unchecked Sendable {
  typealias Continuation = (Step, Result<Payload, DBusError>) -> Void

  struct Request {
    fileprivate let promise: PromisedContent
    fileprivate let number: Int

    /// Cancels the request, so that its continuation is not called.
    func cancel(in step: Step) { promise.cancel(number, in: step) }
  }

  /// A load that passes the bytes to the pipe of a client.
  private struct Pass {
    let load: PromiseLoad
    let departure: PeerWatch.Token?
    let then: (Step, Result<Void, DBusError>) -> Void
  }

  /// The connection that promised the representation.
  let peer: BusName
  let loader: ObjectPath
  /// The item's index in the session.
  let item: Int
  let type: MIMEType
  /// The expected number of bytes; nil if unknown.
  var expectedByteCount: Int?
  /// The bytes, after they have been loaded.
  private(set) var bytes: Payload?

  private let promises: PromiseQueue
  private var load: PromiseLoad?
  /// The loads that pass the bytes to the pipes of clients.
  private var passes: [Pass] = []
  private var waiters: [(number: Int, departure: PeerWatch.Token?, then: Continuation)] = []
  private var lastNumber = 0

  init(
    by peer: BusName, at loader: ObjectPath, _ type: MIMEType, item: Int,
    _ promises: PromiseQueue
  ) {
    (self.peer, self.loader, self.type) = (peer, loader, type)
    (self.item, self.promises) = (item, promises)
  }

  /// The bytes that count toward the limits of the session.
  var byteCount: Int { bytes?.byteCount ?? 0 }

  /// The session counts the bytes when they arrive.
  var memoryByteCount: Int { 0 }

  /// The number of bytes that have arrived.
  var receivedByteCount: Int {
    let passed = passes.lazy.map(\.load.received).max() ?? 0
    return max(passed, bytes?.byteCount ?? load?.received ?? 0)
  }

  /// Whether at least one request waits for the bytes.
  var isLoading: Bool { !waiters.isEmpty || !passes.isEmpty }

  /// Requests the bytes for `session`.
  ///
  /// Only ``SessionEntity/load(_:for:then:)`` calls it.
  func load(
    of session: SessionEntity, for client: String?, then: @escaping Continuation
  ) -> Request {
    lastNumber += 1
    let request = Request(promise: self, number: lastNumber)
    let departure = client.flatMap { client in
      promises.peers.onDeparture(of: client) { [weak session] step in
        request.cancel(in: step)
        if let session { session.forgetUnlessWanted(self) }
      }
    }
    waiters.append((lastNumber, departure, then))
    if load == nil {
      let load = PromiseLoad(of: self, session, promises)
      self.load = load
      promises.enqueue(load)
    }
    return request
  }

  /// Handles the end of the load, unless the load was cancelled.
  ///
  /// Only ``PromiseLoad`` calls it.
  func didLoad(_ result: Result<Payload, DBusError>) {
    load = nil
    if case .success(let bytes) = result { self.bytes = bytes }
    for then in takeWaiters() { promises.scheduler.step { then($0, result) } }
  }

  /// Lets the source write the bytes to the pipe of a client.
  ///
  /// Only ``SessionEntity/pass(_:to:for:then:)`` calls it.
  func pass(
    of session: SessionEntity, to pipe: FileDescriptor, for client: String,
    then: @escaping (Step, Result<Void, DBusError>) -> Void
  ) {
    let load = PromiseLoad(of: self, session, promises, to: pipe)
    let departure = promises.peers.onDeparture(of: client) { [weak self, weak session] step in
      guard let self, let pass = take(load) else { return }
      pass.load.cancel(in: step)
      session?.forgetUnlessWanted(self)
    }
    passes.append(Pass(load: load, departure: departure, then: then))
    promises.enqueue(load)
  }

  /// Handles the end of a load that passes the bytes to a client, unless the load was cancelled.
  ///
  /// Only ``PromiseLoad`` calls it.
  func didPass(_ result: Result<Void, DBusError>, by load: PromiseLoad) {
    guard let pass = take(load) else { return }
    promises.scheduler.step { pass.then($0, result) }
  }

  /// Removes a load from the list of passes, and returns its entry.
  private func take(_ load: PromiseLoad) -> Pass? {
    guard let index = passes.firstIndex(where: { $0.load === load }) else { return nil }
    promises.peers.cancel(passes[index].departure)
    return passes.remove(at: index)
  }

  /// Cancels a request.
  ///
  /// If no other request waits, the load is cancelled, and the next write of the loader fails with
  /// EPIPE.
  private func cancel(_ number: Int, in step: Step) {
    guard let index = waiters.firstIndex(where: { $0.number == number }) else { return }
    promises.peers.cancel(waiters.remove(at: index).departure)
    if waiters.isEmpty { stop(in: step) }
  }

  /// Fails all requests, because the session has ended.
  func end(in step: Step) {
    let waiters = takeWaiters()
    stop(in: step)
    for pass in passes.map(\.load).compactMap(take) {
      pass.load.cancel(in: step)
      promises.scheduler.step { pass.then($0, .failure(.dragIsOver)) }
    }
    for then in waiters { promises.scheduler.step { then($0, .failure(.dragIsOver)) } }
  }

  private func stop(in step: Step) {
    load?.cancel(in: step)
    load = nil
  }

  private func takeWaiters() -> [Continuation] {
    defer { waiters = [] }
    for waiter in waiters { promises.peers.cancel(waiter.departure) }
    return waiters.map(\.then)
  }
}

extension DBusError {
  static let dragIsOver = DBusError(
    .sessionEnded, "session: the drag ended before the promise was loaded")
}
