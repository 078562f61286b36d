import DBus
import DragModel
import DragboardInterface
import DragboardStore
import Files
import Text

/// One attempt to load a promise.
///
/// It calls the loader with a pipe, and moves the bytes from the pipe to the output: the store, or
/// the pipe of a client.
///
/// The bytes are moved on another thread, one megabyte at a time. Each megabyte is read after the
/// previous one has been stored or passed on. Meanwhile the loader waits.
final class PromiseLoad {
  /// The connection that promised the representation.
  var peer: String { promise.peer.text }
  /// The number of bytes that have arrived.
  private(set) var received = 0

  /// The state of the reading from the pipe.
  private enum Reading {
    case none
    case running
    /// The loader left the bus during the read. Bytes that it wrote after the start of the read may
    /// still be in the pipe.
    case runningBeforeLast
  }

  private let promise: PromisedContent
  private let session: SessionEntity
  private let promises: PromiseQueue
  private let scheduler: Scheduler
  private let output: PromiseOutput
  private var state = PromiseState()
  private var pipe: FileDescriptor?
  private var call: PendingCall?
  private var departure: PeerWatch.Token?
  private var silence: Timer?
  private var lastSign = Duration.zero
  private var reading = Reading.none
  private var result: PromiseOutput.End?
  /// The time since which the client's pipe is full; nil if it is not.
  private var fullSince: Duration?

  /// Creates a load that stores the bytes, or passes them to `pipe` of a client.
  init(
    of promise: PromisedContent, _ session: SessionEntity, _ promises: PromiseQueue,
    to pipe: FileDescriptor? = nil
  ) {
    (self.promise, self.session, self.promises) = (promise, session, promises)
    scheduler = promises.scheduler
    output = pipe.map { .pipe($0) } ?? .store(PayloadWriter(promise.type, in: promises.contents))
  }

  /// Whether the load has succeeded, has failed, or was cancelled.
  var isOver: Bool { state.isOver }

  /// Calls the loader.
  func start(in step: Step) {
    let (read, write): (FileDescriptor, FileDescriptor)
    do throws(SystemError) { (read, write) = try FileDescriptor.makePipe(isBlocking: false) } catch
    {
      return act(on: state.fail(.broken("\(error)")), in: step)
    }
    pipe = read
    output.prepare(read)
    departure = promises.peers.onDeparture(of: peer) { [weak self] in self?.hasLeft(in: $0) }
    call = promises.connection.call(
      RepresentationLoaderInterface.load, at: promise.loader, of: promise.peer, timeout: nil,
      session.path, UInt32(promise.item), promise.type.mime, write
    ) { [weak self, scheduler] (result: Result<(), DBusError>) in
      scheduler.step { self?.hasReplied(result, in: $0) }
    }
    lastSign = scheduler.uptime
    awaitSign(for: promises.limits.loadTimeout)
    awaitBytes(in: step)
  }

  /// Cancels the load, so that the next write of the loader fails with EPIPE.
  func cancel(in step: Step) { act(on: state.fail(.cancelled), in: step) }

  /// Fails the load, because it is slow and other loads wait.
  func cancelAsSlow(in step: Step) { act(on: state.fail(.slow), in: step) }

  // MARK: Progress of the loader

  private func hasReplied(_ result: Result<(), DBusError>, in step: Step) {
    call = nil
    lastSign = scheduler.uptime
    switch result {
    case .success: act(on: state.replied(), in: step)
    case .failure(let error):
      // The source chose the message, and the destination may print it on a terminal. So it is made
      // harmless.
      let message = error.message.harmlessLine(maxScalars: 1_024)
      act(on: state.fail(.refused(message)), in: step)
    }
  }

  private func hasLeft(in step: Step) {
    departure = nil
    act(on: state.left(), in: step)
    if reading == .running { reading = .runningBeforeLast }
    if !state.isOver { read() }
  }

  private func awaitSign(for time: Duration) {
    silence = scheduler.after(time) { [weak self] in self?.checkSilence(in: $0) }
  }

  private func checkSilence(in step: Step) {
    if let fullSince, scheduler.uptime - fullSince >= promises.limits.sessionTimeout {
      return act(on: state.fail(.unread), in: step)
    }
    if reading != .none || fullSince != nil { lastSign = scheduler.uptime }
    let rest = lastSign + promises.limits.loadTimeout - scheduler.uptime
    if rest > .zero { return awaitSign(for: rest) }
    act(on: state.fail(.silent), in: step)
  }

  // MARK: The pipe

  private func awaitBytes(in step: Step) {
    guard let pipe, !state.isOver else { return }
    do throws(SystemError) {
      try scheduler.loop.watch(pipe.number, for: .readable) { [weak self] _ in self?.read() }
    } catch { act(on: state.fail(.broken("\(error)")), in: step) }
  }

  /// Waits until the client has read from its pipe.
  private func awaitRoom(in step: Step) {
    guard case .pipe(let client) = output, !state.isOver else { return }
    fullSince = fullSince ?? scheduler.uptime
    do throws(SystemError) {
      try scheduler.loop.watch(client.number, for: .writable) { [weak self] _ in self?.read() }
    } catch { act(on: state.fail(.broken("\(error)")), in: step) }
  }

  private func unwatch() {
    if let pipe { scheduler.loop.unwatch(pipe.number) }
    if case .pipe(let client) = output { scheduler.loop.unwatch(client.number) }
  }

  private func read() {
    guard let pipe, reading == .none, !state.isOver else { return }
    reading = .running
    unwatch()
    scheduler.work { [output] in
      output.take(from: pipe)
    } then: { [self] step, result in
      let mustReadAgain = reading == .runningBeforeLast
      reading = .none
      if !state.isOver { take(result, mustReadAgain, in: step) }
    }
  }

  private func take(_ result: PromiseOutput.Part, _ mustReadAgain: Bool, in step: Step) {
    if result.count > 0 || result.end != nil {
      (lastSign, fullSince) = (scheduler.uptime, nil)
    }
    do throws(DBusError) { try count(result.count, in: step) } catch {
      return act(on: state.fail(.limitExceeded(error.message)), in: step)
    }
    received += result.count
    session.noteLoading(in: step)
    if let place = output.firstInvalidByte {
      return act(on: state.fail(.invalidText(place)), in: step)
    }
    switch result.end {
    case .success(let end)?:
      self.result = end
      act(on: state.pipeEnded(), in: step)
    case .failure(let error)?: act(on: state.fail(.broken("\(error)")), in: step)
    case nil:
      if mustReadAgain { return read() }
      if result.isFull { return awaitRoom(in: step) }
      if result.isDry { act(on: state.pipeIsDry(), in: step) }
      awaitBytes(in: step)
    }
  }

  /// Counts the next bytes toward the limits of the session, unless they pass to a client.
  private func count(_ bytes: Int, in step: Step) throws(DBusError) {
    guard case .store = output else { return session.noteUse(at: scheduler.uptime) }
    try session.countPromised(bytes, after: received, in: step)
  }

  // MARK: The end

  private func act(on action: PromiseState.Action, in step: Step) {
    switch action {
    case .wait: break
    case .keep: end(result.map { .success($0) }, in: step)
    case .fail(.cancelled): end(nil, in: step)
    case .fail(let failure): end(.failure(answer(to: failure)), in: step)
    }
  }

  private func end(_ result: Result<PromiseOutput.End, DBusError>?, in step: Step) {
    if let call { promises.connection.cancel(call) }
    promises.peers.cancel(departure)
    scheduler.cancel(silence)
    unwatch()
    (call, departure, silence, pipe) = (nil, nil, nil, nil)
    if case .success? = result {
    } else if case .store = output {
      session.uncountPromised(received, in: step)
    }
    promises.release(self)
    switch result {
    case .success(.stored(let bytes))?: promise.didLoad(.success(bytes))
    case .success(.passed)?: promise.didPass(.success(()), by: self)
    case .failure(let error)?:
      if case .store = output {
        promise.didLoad(.failure(error))
      } else {
        promise.didPass(.failure(error), by: self)
      }
    case nil: break
    }
  }

  private func answer(to failure: PromiseState.Failure) -> DBusError {
    let name = "item \(promise.item), \(promise.type)"
    return switch failure {
    case .refused(let message): DBusError(.loadFailed, "\(name): the source reports: \(message)")
    case .left:
      DBusError(.loadFailed, "\(name): the source left the bus during the load")
    case .silent:
      DBusError(
        .loadFailed,
        "\(name): the source sent nothing for \(promises.limits.loadTimeout) (load-timeout)")
    case .unread:
      DBusError(
        .loadFailed,
        "\(name): the destination read nothing for \(promises.limits.sessionTimeout) (session-timeout)"
      )
    case .slow:
      DBusError(
        .loadFailed,
        "\(name): the source sent less than 64 KiB in \(promises.limits.loadTimeout) (load-timeout) while other loads waited"
      )
    case .invalidText(let place):
      DBusError(
        .loadFailed, "\(name): the source sent plain text that is not valid UTF-8 at byte \(place)")
    case .limitExceeded(let message): DBusError(.limitsExceeded, "\(name): \(message)")
    case .broken(let message): DBusError(.ioError, "\(name): \(message)")
    case .cancelled: .dragIsOver
    }
  }
}
