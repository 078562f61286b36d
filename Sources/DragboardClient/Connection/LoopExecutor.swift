import DBus

/// An event loop as the preferred executor of a task.
///
/// Without it, the task would resume on the default pool after each wait, and then switch to the
/// loop.
final class LoopExecutor: TaskExecutor {
  private let loop: EventLoop

  init(_ loop: EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) { loop.enqueue(job) }
}
