import DBus
import Files
import Foundation

/// A load that a separate thread carries out step by step.
///
/// `@unchecked` is safe, because only this thread uses the object, except for the reply, which only
/// the loop's thread uses.
final class PromisedLoad: @unchecked Sendable {
  private let item: UInt32
  private let steps: [LoadStep]
  private let connection: Connection
  private let log: LoadLog
  private var pipe: FileDescriptor?
  private var reply: Reply<>?

  init(
    _ load: LoadLog.Load, _ steps: [LoadStep], _ pipe: FileDescriptor, _ reply: Reply<>,
    of connection: Connection, _ log: LoadLog
  ) {
    (item, self.steps, self.pipe, self.reply) = (load.item, steps, pipe, reply)
    (self.connection, self.log) = (connection, log)
    log.begin(load)
  }

  func start() {
    Thread.detachNewThread { [self] in
      blockSIGPIPE()
      for step in steps where !carryOut(step) { break }
      pipe = nil
      log.noteEnd()
      onLoop { $0.reply = nil }
    }
  }

  /// Blocks SIGPIPE in this thread, so that a write without a reader fails with EPIPE only.
  private func blockSIGPIPE() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Carries out a step; returns whether the load continues.
  private func carryOut(_ step: LoadStep) -> Bool {
    switch step {
    case .write(let bytes): return write(bytes)
    case .close: pipe = nil
    case .reply: onLoop { $0.reply?.send() }
    case .refuse(let message):
      onLoop { $0.reply?.refuse(DBusError("com.example.Error.NotToday", message)) }
    case .wait(let gate): return log.waitForOpening(of: gate)
    case .waitForBrokenPipe: return waitForBrokenPipe()
    case .trickle: return trickle()
    case .leave: onLoop { $0.connection.close() }
    }
    return true
  }

  /// Writes bytes at a rate that is too low; the pause is the rate, and no wait for an event.
  private func trickle() -> Bool {
    while !log.isTestOver, write([0x78]) { usleep(300_000) }
    return false
  }

  private func write(_ bytes: [UInt8]) -> Bool {
    guard let pipe else { return false }
    var offset = 0
    while offset < bytes.count {
      let count = bytes[offset...].withUnsafeBytes {
        Foundation.write(pipe.number, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        if errno == EPIPE { log.noteBrokenPipe(item) }
        return false
      }
      offset += count
    }
    return true
  }

  private func waitForBrokenPipe() -> Bool {
    guard let pipe else { return false }
    var watched = pollfd(fd: pipe.number, events: 0, revents: 0)
    while !log.isTestOver {
      guard poll(&watched, 1, 100) > 0, watched.revents & Int16(POLLERR) != 0 else { continue }
      log.noteBrokenPipe(item)
      return true
    }
    return false
  }

  /// Runs `body` on the loop's thread and waits for it, unless the loop has ended.
  private func onLoop(_ body: @escaping @Sendable (PromisedLoad) -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    connection.loop.perform { [self] in
      body(self)
      isDone.signal()
    }
    while !log.isTestOver, isDone.wait(timeout: .now() + .milliseconds(100)) == .timedOut {}
  }
}
