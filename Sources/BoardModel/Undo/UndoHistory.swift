/// The edits of a board that can be undone, and those that can be redone.
///
/// It keeps the numbers and the sizes of steps; the steps themselves, and what the rows of them
/// held, are kept elsewhere, under these numbers. Any edit forgets what could be made again. Where
/// the steps are more, or larger, than is promised, those furthest from the present are forgotten;
/// the next one to be taken back, and the next one to be made again, are always kept.
public struct UndoHistory: Hashable, Sendable {
  /// A step that is kept.
  public struct Step: Hashable, Sendable {
    /// The number of the step on its board, never reused as long as steps are kept; it stays
    /// when the step is replaced by its opposite.
    public let number: UInt64

    /// Size in bytes, with all contents that are kept for it.
    public fileprivate(set) var bytes: Int

    /// Makes a step as it was stored.
    public init(number: UInt64, bytes: Int) {
      self.number = number
      self.bytes = bytes
    }
  }

  /// The steps that take edits back, the latest last.
  public private(set) var done: [Step] = []

  /// The steps that make edits again, the next last.
  public private(set) var undone: [Step] = []

  private let mostSteps: Int
  private let mostBytes: Int
  private var lastNumber: UInt64 = 0

  /// How many bytes all steps have.
  public private(set) var bytes = 0

  /// Makes a history without steps, which keeps that many of them, 1 or more, unless they have more
  /// bytes.
  public init(mostSteps: Int, mostBytes: Int) {
    self.mostSteps = mostSteps
    self.mostBytes = mostBytes
  }

  /// Makes the history that was stored, with limits that may be others.
  public init(mostSteps: Int, mostBytes: Int, done: [Step], undone: [Step]) {
    self.init(mostSteps: mostSteps, mostBytes: mostBytes)
    self.done = done
    self.undone = undone
    bytes = (done + undone).reduce(0) { $0 + $1.bytes }
    lastNumber = (done + undone).map(\.number).max() ?? 0
  }

  /// Records an edit with the size of its step.
  ///
  /// - Returns: the number of the step, and those that are forgotten.
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
  /// - Returns: the numbers of the steps that are forgotten.
  public mutating func undo(bytes: Int) -> [UInt64] {
    guard var step = done.popLast() else { return [] }
    self.bytes += bytes - step.bytes
    step.bytes = bytes
    undone.append(step)
    return trim()
  }

  /// Records that the last step of `undone` was redone, with the size of the opposite step.
  ///
  /// - Returns: the numbers of the steps that are forgotten.
  public mutating func redo(bytes: Int) -> [UInt64] {
    guard var step = undone.popLast() else { return [] }
    self.bytes += bytes - step.bytes
    step.bytes = bytes
    done.append(step)
    return trim()
  }

  /// Forgets the oldest edits, then the last ones to redo.
  private mutating func trim() -> [UInt64] {
    var forgotten: [UInt64] = []
    while done.count + undone.count > mostSteps || bytes > mostBytes {
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
