/// The edits of a board that can be undone or redone.
///
/// The history contains the numbers and the sizes of steps. The store contains the steps under
/// these numbers, with the contents of their rows. A new edit forgets the steps to redo. If the
/// steps exceed the maximum number or size, the history forgets the steps that are furthest from
/// the present state. It never forgets the next step to undo and the next step to redo.
public struct UndoHistory: Hashable, Sendable {
  /// A step of the history.
  public struct Step: Hashable, Sendable {
    /// The number of the step on its board.
    ///
    /// The number is not reused while the history has steps. It stays the same when the step is
    /// replaced by its opposite.
    public let number: UInt64

    /// The size in bytes, with all contents stored for the step.
    public fileprivate(set) var bytes: Int

    /// Creates a step from stored values.
    public init(number: UInt64, bytes: Int) {
      self.number = number
      self.bytes = bytes
    }
  }

  /// The steps to undo, the latest last.
  public private(set) var done: [Step] = []

  /// The steps to redo, the next one last.
  public private(set) var undone: [Step] = []

  private let maxSteps: Int
  private let maxBytes: Int
  private var lastNumber: UInt64 = 0

  /// The size of all steps in bytes.
  public private(set) var bytes = 0

  /// Creates a history without steps.
  ///
  /// - Parameters:
  ///   - maxSteps: The maximum number of steps, 1 or more.
  ///   - maxBytes: The maximum size of all steps.
  public init(maxSteps: Int, maxBytes: Int) {
    self.maxSteps = maxSteps
    self.maxBytes = maxBytes
  }

  /// Restores a stored history, possibly with other limits.
  public init(maxSteps: Int, maxBytes: Int, done: [Step], undone: [Step]) {
    self.init(maxSteps: maxSteps, maxBytes: maxBytes)
    self.done = done
    self.undone = undone
    bytes = (done + undone).reduce(0) { $0 + $1.bytes }
    lastNumber = (done + undone).map(\.number).max() ?? 0
  }

  /// Records an edit with the size of its step.
  ///
  /// - Returns: The number of the step, and the numbers of the forgotten steps.
  public mutating func record(bytes: Int) -> (number: UInt64, forgotten: [UInt64]) {
    let again = undone.map(\.number)
    self.bytes += bytes - undone.reduce(0) { $0 + $1.bytes }
    undone = []
    lastNumber += 1
    done.append(Step(number: lastNumber, bytes: bytes))
    return (lastNumber, again + trim())
  }

  /// Records that the last step of `done` was undone, with the size of the opposite step.
  ///
  /// - Returns: The numbers of the forgotten steps.
  public mutating func undo(bytes: Int) -> [UInt64] {
    guard var step = done.popLast() else { return [] }
    self.bytes += bytes - step.bytes
    step.bytes = bytes
    undone.append(step)
    return trim()
  }

  /// Records that the last step of `undone` was redone; `bytes` is the size of the step that undoes
  /// it again.
  ///
  /// - Returns: The numbers of the forgotten steps.
  public mutating func redo(bytes: Int) -> [UInt64] {
    guard var step = undone.popLast() else { return [] }
    self.bytes += bytes - step.bytes
    step.bytes = bytes
    done.append(step)
    return trim()
  }

  /// Forgets all steps to redo; returns their numbers.
  public mutating func forgetUndone() -> [UInt64] {
    defer { undone = [] }
    bytes -= undone.reduce(0) { $0 + $1.bytes }
    return undone.map(\.number)
  }

  /// Forgets the last step of `done`, or all of them; returns their numbers.
  public mutating func forgetDone(onlyLast: Bool) -> [UInt64] {
    let forgotten = onlyLast ? done.suffix(1) : done[...]
    done.removeLast(forgotten.count)
    bytes -= forgotten.reduce(0) { $0 + $1.bytes }
    return forgotten.map(\.number)
  }

  /// Records a new size of the last step of `done`.
  public mutating func resizeLast(to bytes: Int) {
    guard let last = done.indices.last else { return }
    self.bytes += bytes - done[last].bytes
    done[last].bytes = bytes
  }

  /// Forgets the oldest edits, then the last steps to redo.
  private mutating func trim() -> [UInt64] {
    var forgotten: [UInt64] = []
    while done.count + undone.count > maxSteps || bytes > maxBytes {
      let step: Step
      if done.count > 1 {
        step = done.removeFirst()
      } else if undone.count > 1 {
        step = undone.removeFirst()
      } else {
        break
      }
      bytes -= step.bytes
      forgotten.append(step.number)
    }
    return forgotten
  }
}
