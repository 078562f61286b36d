import DBus

/// An event loop as what a task prefers to run on.
///
/// A task that has no preference is woken on the default pool after each wait, and goes from there to the loop.
final class LoopExecutor: TaskExecutor {
  private let loop: EventLoop

  init(_ loop: EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) { loop.enqueue(job) }
}
