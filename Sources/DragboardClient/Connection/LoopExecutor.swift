import DBus

/// An event loop as the preferred executor of a task.
///
/// Without this executor, a task would resume on a thread of the default pool after each wait, and
/// then switch to the loop's thread.
final class LoopExecutor: TaskExecutor {
  private let loop: EventLoop

  init(_ loop: EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) { loop.enqueue(job) }
}
