/// A timer that was scheduled, to cancel it by.
public struct Timer: Hashable, Comparable, Sendable {
  /// In the loop's running time.
  let deadline: Duration
  let number: UInt64

  /// The earlier first; of two at one instant, the one that was scheduled first.
  public static func < (left: Timer, right: Timer) -> Bool {
    (left.deadline, left.number) < (right.deadline, right.number)
  }
}

/// Timers in the order in which they are due.
///
/// Adding one that is due last, which most are, is O(1); any other and removing are O(n) moves of small elements.
struct TimerQueue {
  /// A timer, and what it does.
  struct Entry {
    let timer: Timer
    let body: () -> Void
  }

  private var entries: [Entry] = []
  private var count: UInt64 = 0
  /// Timers that were taken out and have not gone off yet, by number.
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

  /// Whether there is no timer.
  var isEmpty: Bool { entries.isEmpty }

  /// Takes out what is due, in order; each is asked for once more, by `goOff`, when its turn has come.
  mutating func take(dueAt now: Duration) -> ArraySlice<Entry> {
    guard let first = entries.first, first.timer.deadline <= now else { return [] }
    let end = entries.firstIndex { $0.timer.deadline > now } ?? entries.count
    let due = entries[..<end]
    entries.removeFirst(end)
    leaving.formUnion(due.map(\.timer.number))
    return due
  }

  /// Whether a timer that was taken out is still to go off: another one may have cancelled it meanwhile.
  mutating func goOff(_ timer: Timer) -> Bool { leaving.remove(timer.number) != nil }

  /// How long until the first is due, rounded up; -1 if there is none.
  func milliseconds(from now: Duration) -> Int32 {
    guard let first = entries.first else { return -1 }
    let (seconds, attoseconds) = (first.timer.deadline - now).components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return Int32(
      min(seconds, 1_000_000) * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }

  /// Where `timer` is, or would be.
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
