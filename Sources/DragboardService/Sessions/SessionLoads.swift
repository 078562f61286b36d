import DBus
import DragModel
import DragboardStore

/// What is being loaded of a session, for a board or for a client, and how far it is.
final class SessionLoads {
  private struct Waiting {
    let promise: Promise
    let question: PromiseQuestion?
    let departure: PeerWatch.Token?
    let then: (Result<Payload, DBusError>) -> Void
  }

  private let service: Service
  private var waiting: [Int: Waiting] = [:]
  private var finished = LoadProgress()
  /// Whether anything has been asked of a promise.
  private var hasBegun = false
  private var lastNumber = 0

  init(_ service: Service) { self.service = service }

  /// Whether something is being loaded.
  var isLoading: Bool { !waiting.isEmpty }

  /// How far all that was asked of promises is, from 0 to 1; nil before the first one.
  var progress: Double? {
    guard hasBegun else { return nil }
    var progress = finished
    for load in waiting.values {
      progress.add(received: load.promise.receivedByteCount, of: load.promise.expectedByteCount)
    }
    return progress.fraction
  }

  /// Has `then` called once with the representation's bytes: at once where they are there, and with an error where the session
  /// ends before they are.
  ///
  /// - Parameters:
  ///   - content: what a representation of the session holds.
  ///   - client: the connection that asks; with it the question goes. Nil where a board asks.
  ///   - then: gets the bytes, or why there are none.
  /// - Returns: the number that the question is withdrawn by, where it waits.
  @discardableResult
  func load(
    _ content: any RepresentationContent, for client: String? = nil,
    then: @escaping (Result<Payload, DBusError>) -> Void
  ) -> Int? {
    if let promise = content as? Promise { return load(promise, for: client, then) }
    guard let content = content as? ReadyContent else { return nil }
    then(
      Result { () throws(StoreError) in try content.bytes() }.mapError { error in error.answer
      })
    return nil
  }

  /// Withdraws a question as if it had not been asked; one that has been answered is no error.
  func withdraw(_ number: Int) { take(number)?.question?.withdraw() }

  private func load(
    _ promise: Promise, for client: String?, _ then: @escaping (Result<Payload, DBusError>) -> Void
  ) -> Int? {
    lastNumber += 1
    hasBegun = true
    let number = lastNumber
    var isAnswered = false
    let question = promise.ask { [self] result in
      isAnswered = true
      _ = remove(number)
      then(result)
    }
    guard !isAnswered else {
      finished.addFinished(of: promise.expectedByteCount)
      return nil
    }
    let departure = client.flatMap { client in
      service.peers.onDeparture(of: client) { [weak self] in
        self?.withdraw(number)
      }
    }
    waiting[number] = Waiting(
      promise: promise, question: question, departure: departure, then: then)
    return number
  }

  /// Takes out a question that is over, whatever became of it.
  private func remove(_ number: Int) -> Waiting? {
    guard let load = take(number) else { return nil }
    finished.addFinished(of: load.promise.expectedByteCount)
    return load
  }

  private func take(_ number: Int) -> Waiting? {
    guard let load = waiting.removeValue(forKey: number) else { return nil }
    if let departure = load.departure { service.peers.forget(departure) }
    return load
  }

  /// The session is over: whoever waits is told so.
  func end() {
    for number in waiting.keys.sorted() {
      guard let load = remove(number) else { continue }
      load.question?.withdraw()
      load.then(.failure(.dragIsOver))
    }
  }
}
