public import DBus

extension EventLoop {
  /// Runs until `isDone` returns true, but at most for `limit`, so that a test fails instead of
  /// hanging.
  ///
  /// - Returns: whether `isDone` returned true.
  @discardableResult
  public func wait(within limit: Duration = .seconds(300), until isDone: () -> Bool) -> Bool {
    var (isOver, hasExpired) = (false, false)
    let timer = schedule(after: limit) { hasExpired = true }
    defer { cancel(timer) }
    run {
      isOver = isDone()
      return isOver || hasExpired
    }
    return isOver
  }
}
