import DragboardClient
import TestSupport

/// Drags over several positions.
extension Desk {
  /// Moves the pointer from one position to another in steps.
  ///
  /// The state of its button does not change.
  func move(from start: (x: Int, y: Int), to end: (x: Int, y: Int)) throws {
    var words = ["xdotool"]
    for step in 1...10 {
      let (x, y) = (
        start.x + (end.x - start.x) * step / 10, start.y + (end.y - start.y) * step / 10
      )
      words += ["sleep", "0.05", "mousemove", "\(x)", "\(y)"]
    }
    try TestProgram.run(words, environment)
  }

  /// Returns whether the daemon proposes an operation for a drag within a second.
  func isProposed(_ session: DragSession) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(1)
    while ContinuousClock.now < end {
      if try await session.info().operation != nil { return true }
    }
    return false
  }
}
