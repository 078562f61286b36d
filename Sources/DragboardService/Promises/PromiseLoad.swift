import CLinux
import DBus
import DragModel
import DragboardInterface

/// One attempt to have a promise kept: calls the loader with a pipe, and takes in what comes through it.
///
/// The pipe is read on a thread of the pool, a megabyte at a time; until that is kept nothing more is read, and the loader waits.
final class PromiseLoad {
  /// The connection that promised.
  var peer: String { promise.peer.text }
  /// How many bytes have come so far.
  private(set) var received = 0

  private let promise: Promise
  private let session: SessionObject
  private let service: Service
  private let spool: Spool
  private var state = PromiseState()
  private var pipe: FileDescriptor?
  private var call: PendingCall?
  private var departure: PeerWatch.Token?
  private var silence: Timer?
  private var lastSign = Duration.zero
  private var isReading = false
  /// Whether the loader left while the pipe was being read.
  private var mustReadAgain = false
  private var bytes: Bytes?
  private var onEnd: ((Result<Bytes, DBusError>?) -> Void)?

  init(of promise: Promise, _ session: SessionObject) {
    self.promise = promise
    self.session = session
    service = session.service
    spool = Spool(promise.type, makeFile: service.repository.makeSpool)
  }

  /// Whether it is kept, has failed, or was cancelled.
  var isOver: Bool { state.isOver }

  /// Calls the loader; `onEnd` gets what came of it, or nil where it is cancelled.
  func start(_ onEnd: @escaping (Result<Bytes, DBusError>?) -> Void) {
    self.onEnd = onEnd
    guard let (read, write) = makePipe() else {
      return act(on: state.fail(.broken("\(SystemError("pipe2"))")))
    }
    pipe = read
    departure = service.peers.onDeparture(of: peer) { [weak self] in self?.hasLeft() }
    call = service.connection.call(
      RepresentationLoaderInterface.load, at: promise.loader, of: promise.peer, timeout: nil,
      session.path, UInt32(promise.item), promise.type.mime, write
    ) { [weak self] (result: Result<(), DBusError>) in self?.hasReplied(result) }
    lastSign = service.uptime
    awaitSign(for: service.limits.loadTimeout)
    awaitBytes()
  }

  /// Nobody wants it any more: the loader gets EPIPE.
  func cancel() { act(on: state.fail(.cancelled)) }

  /// Fails the load for the sake of loads that wait.
  func cancelAsSlow() { act(on: state.fail(.slow)) }

  private func makePipe() -> (read: FileDescriptor, write: FileDescriptor)? {
    var ends: [Int32] = [-1, -1]
    guard clinux_pipe(&ends) == 0 else { return nil }
    return (FileDescriptor(adopting: ends[0]), FileDescriptor(adopting: ends[1]))
  }

  // MARK: Signs of life

  private func hasReplied(_ result: Result<(), DBusError>) {
    call = nil
    lastSign = service.uptime
    switch result {
    case .success: act(on: state.replied())
    case .failure(let error): act(on: state.fail(.refused(error.message)))
    }
  }

  private func hasLeft() {
    departure = nil
    act(on: state.left())
    // What it wrote before may still be in the pipe; a reading that is under way may have come too early for it.
    mustReadAgain = isReading
    if !state.isOver { read() }
  }

  private func awaitSign(for time: Duration) {
    silence = service.schedule(after: time) { [weak self] in self?.checkSilence() }
  }

  private func checkSilence() {
    if isReading { lastSign = service.uptime }
    let rest = lastSign + service.limits.loadTimeout - service.uptime
    if rest > .zero { return awaitSign(for: rest) }
    act(on: state.fail(.silent))
  }

  // MARK: The pipe

  private func awaitBytes() {
    guard let pipe, !state.isOver else { return }
    do throws(SystemError) {
      try service.connection.loop.watch(pipe.number, for: .readable) { [weak self] _ in
        self?.read()
      }
    } catch { act(on: state.fail(.broken("\(error)"))) }
  }

  private func read() {
    guard let pipe, !isReading, !state.isOver else { return }
    isReading = true
    service.connection.loop.unwatch(pipe.number)
    service.work { [spool] in
      PipeReading(from: pipe, into: spool)
    } then: { [self] reading in
      isReading = false
      if !state.isOver { take(reading) }
    }
  }

  private func take(_ reading: PipeReading) {
    if reading.count > 0 || reading.end != nil { lastSign = service.uptime }
    do throws(DBusError) { try session.countPromised(reading.count, behind: received) } catch {
      return act(on: state.fail(.limitExceeded(error.message)))
    }
    received += reading.count
    session.noteLoading()
    if let place = spool.firstInvalidByte { return act(on: state.fail(.invalidText(place))) }
    switch reading.end {
    case .success(let bytes)?:
      self.bytes = bytes
      act(on: state.pipeEnded())
    case .failure(let error)?: act(on: state.fail(.broken(error.message)))
    case nil:
      if mustReadAgain {
        mustReadAgain = false
        return read()
      }
      if reading.isDry { act(on: state.pipeIsDry()) }
      awaitBytes()
    }
  }

  // MARK: The end

  private func act(on action: PromiseState.Action) {
    switch action {
    case .wait: break
    case .keep: end(bytes.map { .success($0) })
    case .fail(.cancelled): end(nil)
    case .fail(let failure): end(.failure(answer(to: failure)))
    }
  }

  private func end(_ result: Result<Bytes, DBusError>?) {
    if let call { service.connection.cancel(call) }
    if let departure { service.peers.forget(departure) }
    if let silence { service.connection.loop.cancel(silence) }
    if let pipe { service.connection.loop.unwatch(pipe.number) }
    (call, departure, silence, pipe) = (nil, nil, nil, nil)
    if case .success? = result {} else { session.uncountPromised(received) }
    let onEnd = onEnd
    self.onEnd = nil
    onEnd?(result)
  }

  private func answer(to failure: PromiseState.Failure) -> DBusError {
    let name = "item \(promise.item), \(promise.type)"
    return switch failure {
    case .refused(let message): DBusError(.loadFailed, "\(name): its source says: \(message)")
    case .left:
      DBusError(.loadFailed, "\(name): its source left the bus before all of it was there")
    case .silent:
      DBusError(
        .loadFailed,
        "\(name): its source gave nothing for \(service.limits.loadTimeout) (load-timeout)")
    case .slow:
      DBusError(
        .loadFailed,
        "\(name): its source gave less than 64 KiB in \(service.limits.loadTimeout) (load-timeout) while other loads waited"
      )
    case .invalidText(let place):
      DBusError(
        .loadFailed, "\(name): what its source gave is not valid UTF-8 from byte \(place) on")
    case .limitExceeded(let message): DBusError(.limitsExceeded, "\(name): \(message)")
    case .broken(let message): DBusError(.ioError, "\(name): \(message)")
    case .cancelled: .dragIsOver
    }
  }
}
