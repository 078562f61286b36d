/// A scheduled timer, which can be cancelled.
public struct Timer: Hashable, Comparable, Sendable {
  /// The deadline in the loop's running time.
  let deadline: Duration
  let number: UInt64

  /// Compares the deadlines; timers with the same deadline are ordered by their creation.
  public static func < (left: Timer, right: Timer) -> Bool {
    (left.deadline, left.number) < (right.deadline, right.number)
  }
}

/// Timers in the order in which they are due.
///
/// Usually a new timer has the latest deadline. In this case, the addition is O(1). Other additions
/// and removals move O(n) small elements.
struct TimerQueue {
  struct Entry {
    let timer: Timer
    let body: () -> Void
  }

  private var entries: [Entry] = []
  private var count: UInt64 = 0
  /// The numbers of timers that `take` has returned and that have not fired yet.
  private var leaving: Set<UInt64> = []

  mutating func add(at deadline: Duration, _ body: @escaping () -> Void) -> Timer {
    count += 1
    let timer = Timer(deadline: deadline, number: count)
    entries.insert(Entry(timer: timer, body: body), at: position(of: timer))
    return timer
  }

  mutating func remove(_ timer: Timer) {
    guard leaving.remove(timer.number) == nil else { return }
    let index = position(of: timer)
    if index < entries.count, entries[index].timer == timer { entries.remove(at: index) }
  }

  var isEmpty: Bool { entries.isEmpty }

  /// Returns whether a timer is due.
  func hasDue(at now: Duration) -> Bool { entries.first.map { $0.timer.deadline <= now } ?? false }

  /// Removes and returns the due timers, in order.
  ///
  /// The action of one of them can cancel a later one. So call `goOff` before each action.
  mutating func take(dueAt now: Duration) -> ArraySlice<Entry> {
    guard let first = entries.first, first.timer.deadline <= now else { return [] }
    let end = entries.firstIndex { $0.timer.deadline > now } ?? entries.count
    let due = entries[..<end]
    entries.removeFirst(end)
    leaving.formUnion(due.map(\.timer.number))
    return due
  }

  /// Returns whether a taken timer must still fire; false if another timer has cancelled it.
  mutating func goOff(_ timer: Timer) -> Bool { leaving.remove(timer.number) != nil }

  /// Returns the time until the first timer, rounded up; -1 if there is none.
  func milliseconds(from now: Duration) -> Int32 {
    guard let first = entries.first else { return -1 }
    let (seconds, attoseconds) = (first.timer.deadline - now).components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return Int32(
      min(seconds, 1_000_000) * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  /// Returns the position of `timer`, or the position at which to insert it.
  private func position(of timer: Timer) -> Int {
    if let last = entries.last, last.timer < timer { return entries.count }
    var range = 0..<entries.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        entries[middle].timer < timer ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
