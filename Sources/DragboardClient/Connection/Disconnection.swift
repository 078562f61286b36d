/// The handlers to call when the bus is lost.
///
/// Each is called once.
///
/// Unchecked, because it is confined to the loop's thread.
final class Disconnection: @unchecked Sendable {
  private var handlers: [Int: () -> Void] = [:]
  private var lastHandler = 0
  private var hasHappened = false

  /// Registers a handler, which is called at once if the bus is already lost.
  func whenItHappens(_ handler: @escaping () -> Void) -> Int {
    lastHandler += 1
    if hasHappened { handler() } else { handlers[lastHandler] = handler }
    return lastHandler
  }

  /// Removes a handler, even if it was already called.
  func forget(_ handler: Int) { handlers[handler] = nil }

  /// Calls all handlers.
  func happen() {
    hasHappened = true
    let notified = handlers
    handlers = [:]
    for handler in notified.sorted(by: { $0.key < $1.key }) { handler.value() }
  }
}
