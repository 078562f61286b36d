/// Who is told, once, that the connection to the bus is gone.
///
/// Unchecked, because it is confined to the loop's thread.
final class Disconnection: @unchecked Sendable {
  private var handlers: [Int: () -> Void] = [:]
  private var lastHandler = 0
  private var hasHappened = false

  /// Has `handler` called when the bus is gone; at once where it is.
  func whenItHappens(_ handler: @escaping () -> Void) -> Int {
    lastHandler += 1
    if hasHappened { handler() } else { handlers[lastHandler] = handler }
    return lastHandler
  }

  /// Forgets a handler; one that was called is no error.
  func forget(_ handler: Int) { handlers[handler] = nil }

  /// Tells everybody.
  func happen() {
    hasHappened = true
    let told = handlers
    handlers = [:]
    for handler in told.sorted(by: { $0.key < $1.key }) { handler.value() }
  }
}
