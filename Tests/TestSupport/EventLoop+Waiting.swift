public import DBus

extension EventLoop {
  /// Runs until `isDone` returns true, for at most `limit`: a test must fail, not hang.
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
