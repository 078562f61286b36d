/// The edits of a board that can be undone or redone.
///
/// The history contains the numbers and the sizes of steps. The store contains the steps under
/// these numbers, with the contents of their rows. A new edit forgets the steps to redo. If the
/// steps exceed the maximum number or size, the history forgets the steps that are furthest from
/// the present state. It never forgets the next step to undo and the next step to redo.
///
/// All steps of one sandbox together have a quarter of both limits. If they exceed it, the history
/// drops the older half of them at once, because each removal adapts the step before it.
public struct UndoHistory: Hashable, Sendable {
  /// A step of the history.
  public struct NumberedStep: Hashable, Sendable {
    /// The number of the step on its board.
    ///
    /// The number is not reused while the history has steps. It stays the same when the step is
    /// replaced by its opposite.
    public let number: UInt64

    /// The size in bytes, with all contents stored for the step.
    public fileprivate(set) var bytes: Int

    /// The sandbox that made the edit; nil for an edit of the user.
    let sandbox: String?

    /// The operations of the step, until they are stored.
    var unsaved: EditHistory.EncodedStep?
    /// Whether the step is known to need no row contents.
    var isRowless = false
    /// Whether the step is stored as undone; nil if it is not stored.
    var isStoredUndone: Bool?

    /// Creates a step from stored values.
    public init(number: UInt64, bytes: Int, by sandbox: String? = nil) {
      self.number = number
      self.bytes = bytes
      self.sandbox = sandbox
    }
  }

  /// The steps to undo, the latest last.
  public internal(set) var done: [NumberedStep] = []

  /// The steps to redo, the next one last.
  public internal(set) var undone: [NumberedStep] = []

  /// The steps that were forgotten since the last call of ``takeForgotten()``.
  private var forgotten: [NumberedStep] = []

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
  public init(maxSteps: Int, maxBytes: Int, done: [NumberedStep], undone: [NumberedStep]) {
    self.init(maxSteps: maxSteps, maxBytes: maxBytes)
    self.done = done
    self.undone = undone
    bytes = (done + undone).reduce(0) { $0 + $1.bytes }
    lastNumber = (done + undone).map(\.number).max() ?? 0
  }

  /// Records an edit with the size of its step, and forgets all steps to redo.
  public mutating func record(bytes: Int) {
    add(bytes: bytes, by: nil)
    trim()
  }

  /// Adds the step of an edit, and forgets all steps to redo, but no step to undo.
  mutating func add(bytes: Int, by sandbox: String?) {
    forgetUndone()
    self.bytes += bytes
    lastNumber += 1
    done.append(NumberedStep(number: lastNumber, bytes: bytes, by: sandbox))
  }

  /// Returns the indexes in `done` of the oldest steps of a sandbox, in runs of adjacent steps, if the
  /// steps of this sandbox exceed its share.
  ///
  /// They include the latest step of the sandbox only if it exceeds the share alone.
  func runsBeyondShare(of sandbox: String) -> [Range<Int>] {
    let own = done.indices.filter { done[$0].sandbox == sandbox }
    var (count, bytes) = (own.count, own.reduce(0) { $0 + done[$1].bytes })
    guard count > maxSteps / 4 || bytes > maxBytes / 4 else { return [] }
    var runs: [Range<Int>] = []
    for index in own where count > maxSteps / 8 || bytes > maxBytes / 8 {
      if count == 1, maxSteps >= 4, bytes <= maxBytes / 4 { break }
      (count, bytes) = (count - 1, bytes - done[index].bytes)
      let start = runs.last?.upperBound == index ? runs.removeLast().lowerBound : index
      runs.append(start..<index + 1)
    }
    return runs
  }

  /// Removes a step of `done`.
  mutating func removeDone(at index: Int) -> NumberedStep {
    bytes -= done[index].bytes
    return done.remove(at: index)
  }

  /// Records that the last step of `done` was undone, with the size of the opposite step.
  public mutating func undo(bytes: Int) {
    guard var step = done.popLast() else { return }
    self.bytes += bytes - step.bytes
    step.bytes = bytes
    undone.append(step)
    trim()
  }

  /// Records that the last step of `undone` was redone; `bytes` is the size of the step that undoes
  /// it again.
  public mutating func redo(bytes: Int) {
    guard var step = undone.popLast() else { return }
    self.bytes += bytes - step.bytes
    step.bytes = bytes
    done.append(step)
    trim()
  }

  /// Forgets all steps to redo.
  public mutating func forgetUndone() {
    guard !undone.isEmpty else { return }
    bytes -= undone.reduce(0) { $0 + $1.bytes }
    forgotten += undone
    undone = []
  }

  /// Removes the last step of `done`, or all of them; returns the removed steps.
  mutating func removeDone(onlyLast: Bool) -> [NumberedStep] {
    let removed = onlyLast ? done.suffix(1) : done[...]
    done.removeLast(removed.count)
    bytes -= removed.reduce(0) { $0 + $1.bytes }
    return Array(removed)
  }

  /// Records the operations of the step that was recorded, undone or redone last.
  mutating func noteUnsaved(_ step: EditHistory.EncodedStep, isRowless: Bool, isUndone: Bool) {
    func note(in list: inout [NumberedStep]) {
      guard let last = list.indices.last else { return }
      (list[last].unsaved, list[last].isRowless) = (step, isRowless)
    }
    if isUndone { note(in: &undone) } else { note(in: &done) }
  }

  /// Replaces a step of `done` by an unsaved one, which is larger by `growth` bytes.
  mutating func replace(at index: Int, by step: EditHistory.EncodedStep, growth: Int) {
    bytes += growth
    done[index].bytes += growth
    done[index].unsaved = step
  }

  /// Returns the steps that were forgotten since the last call.
  public mutating func takeForgotten() -> [NumberedStep] {
    defer { forgotten = [] }
    return forgotten
  }

  /// Forgets the oldest edits, then the last steps to redo.
  mutating func trim() {
    while done.count + undone.count > maxSteps || bytes > maxBytes {
      let step: NumberedStep
      if done.count > 1 {
        step = done.removeFirst()
      } else if undone.count > 1 {
        step = undone.removeFirst()
      } else {
        break
      }
      bytes -= step.bytes
      forgotten.append(step)
    }
  }
}
