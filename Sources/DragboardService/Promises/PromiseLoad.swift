import CLinux
import DBus
import DragModel
import DragboardInterface
import DragboardStore
import Files
import Text

/// One attempt to load a promise.
///
/// It calls the loader with a pipe, and reads the bytes from the pipe.
///
/// The pipe is read on another thread, one megabyte at a time. Each megabyte is read after the
/// previous one has been stored. Meanwhile the loader waits.
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
  private let writer: PayloadWriter
  private var state = PromiseState()
  private var pipe: FileDescriptor?
  private var call: PendingCall?
  private var departure: PeerWatch.Token?
  private var silence: Timer?
  private var lastSign = Duration.zero
  private var reading = Reading.none
  private var bytes: Payload?

  init(of promise: PromisedContent, _ session: SessionEntity, _ promises: PromiseQueue) {
    (self.promise, self.session, self.promises) = (promise, session, promises)
    scheduler = promises.scheduler
    writer = PayloadWriter(promise.type, in: promises.contents)
  }

  /// Whether the load has succeeded, has failed, or was cancelled.
  var isOver: Bool { state.isOver }

  /// Calls the loader.
  func start(in step: Step) {
    guard let (read, write) = makePipe() else {
      return act(on: state.fail(.broken("\(SystemError("pipe2"))")), in: step)
    }
    pipe = read
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

  private func makePipe() -> (read: FileDescriptor, write: FileDescriptor)? {
    var ends: [Int32] = [-1, -1]
    guard clinux_pipe(&ends) == 0 else { return nil }
    return (FileDescriptor(adopting: ends[0]), FileDescriptor(adopting: ends[1]))
  }

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
    if reading != .none { lastSign = scheduler.uptime }
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

  private func read() {
    guard let pipe, reading == .none, !state.isOver else { return }
    reading = .running
    scheduler.loop.unwatch(pipe.number)
    scheduler.work { [writer] in
      writer.append(from: pipe)
    } then: { [self] step, result in
      let mustReadAgain = reading == .runningBeforeLast
      reading = .none
      if !state.isOver { take(result, mustReadAgain, in: step) }
    }
  }

  private func take(_ result: PayloadWriter.PipeResult, _ mustReadAgain: Bool, in step: Step) {
    if result.count > 0 || result.end != nil { lastSign = scheduler.uptime }
    do throws(DBusError) {
      try session.countPromised(result.count, after: received, in: step)
    } catch {
      return act(on: state.fail(.limitExceeded(error.message)), in: step)
    }
    received += result.count
    session.noteLoading(in: step)
    if let place = writer.firstInvalidByte {
      return act(on: state.fail(.invalidText(place)), in: step)
    }
    switch result.end {
    case .success(let bytes)?:
      self.bytes = bytes
      act(on: state.pipeEnded(), in: step)
    case .failure(let error)?: act(on: state.fail(.broken("\(error)")), in: step)
    case nil:
      if mustReadAgain { return read() }
      if result.isDry { act(on: state.pipeIsDry(), in: step) }
      awaitBytes(in: step)
    }
  }

  // MARK: The end

  private func act(on action: PromiseState.Action, in step: Step) {
    switch action {
    case .wait: break
    case .keep: end(bytes.map { .success($0) }, in: step)
    case .fail(.cancelled): end(nil, in: step)
    case .fail(let failure): end(.failure(answer(to: failure)), in: step)
    }
  }

  private func end(_ result: Result<Payload, DBusError>?, in step: Step) {
    if let call { promises.connection.cancel(call) }
    promises.peers.cancel(departure)
    scheduler.cancel(silence)
    if let pipe { scheduler.loop.unwatch(pipe.number) }
    (call, departure, silence, pipe) = (nil, nil, nil, nil)
    if case .success? = result {} else { session.uncountPromised(received, in: step) }
    promises.release(self)
    if let result { promise.didLoad(result) }
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
