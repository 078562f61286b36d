import DBus
import DragModel
import DragboardInterface
import DragboardStore

/// A representation that its source makes when somebody asks for it.
///
/// Several that ask are served by one load, and who asks later gets what it gave; a load that failed is tried again for who asks next.
///
/// Unchecked, because it is confined to the connection's loop, as all of the service is.
final class Promise: RepresentationContent, @unchecked Sendable {
  /// The connection that promised.
  let peer: BusName
  /// Where it exports its loader.
  let loader: ObjectPath
  /// The item's index in the session.
  let item: Int
  let type: ContentType
  /// How many bytes it will give, as far as the source knows.
  var expectedByteCount: Int?

  private weak var session: SessionObject?
  private var bytes: Payload?
  private var load: PromiseLoad?
  private var waiters: [(number: Int, body: (Result<Payload, DBusError>) -> Void)] = []
  private var lastNumber = 0

  init(
    by peer: BusName, at loader: ObjectPath, _ type: ContentType, item: Int,
    of session: SessionObject
  ) {
    self.peer = peer
    self.loader = loader
    self.type = type
    self.item = item
    self.session = session
  }

  /// The bytes that it has given.
  var byteCount: Int { bytes?.byteCount ?? 0 }

  /// How many bytes have come so far.
  var receivedByteCount: Int { bytes?.byteCount ?? load?.received ?? 0 }

  /// Has `body` called with the bytes, at once where they are there.
  ///
  /// - Returns: what the question is withdrawn by, where it waits.
  func ask(_ body: @escaping (Result<Payload, DBusError>) -> Void) -> PromiseQuestion? {
    if let bytes {
      body(.success(bytes))
      return nil
    }
    guard let session else {
      body(.failure(.dragIsOver))
      return nil
    }
    lastNumber += 1
    waiters.append((lastNumber, body))
    if load == nil { begin(session) }
    return PromiseQuestion(promise: self, number: lastNumber)
  }

  /// Nobody is told of it; with the last who asks the load ends, and its loader gets EPIPE.
  fileprivate func withdraw(_ number: Int) {
    waiters.removeAll { $0.number == number }
    guard waiters.isEmpty else { return }
    load?.cancel()
    load = nil
  }

  private func begin(_ session: SessionObject) {
    let load = PromiseLoad(of: self, session)
    self.load = load
    session.service.promises.enqueue(load) { [self] result in
      self.load = nil
      if case .success(let bytes) = result { self.bytes = bytes }
      let waiters = waiters
      self.waiters = []
      for waiter in waiters { waiter.body(result) }
    }
  }
}

/// Somebody who waits for a promise.
struct PromiseQuestion {
  fileprivate let promise: Promise
  fileprivate let number: Int

  /// Waits no more.
  func withdraw() { promise.withdraw(number) }
}

extension DBusError {
  /// What who waits for a load gets when the drag ends before it has.
  static let dragIsOver = DBusError(
    .sessionEnded, "session: its drag ended before what was asked for was there")
}
