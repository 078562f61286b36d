import Synchronization

/// A bounded queue of events from the loop to a task.
///
/// The loop never waits for the task.
///
/// A newer event can be merged with the event before it. If more than `capacity` events wait, the
/// event `overflow` replaces them.
final class EventBuffer<Event: Sendable>: Sendable {
  /// Merges two successive events into one event; nil if both events are needed.
  typealias Merge = @Sendable (_ waiting: Event, _ newer: Event) -> Event?

  private struct State {
    var events: [Event] = []
    var end: Result<Void, DragboardError>?
    var waiting: CheckedContinuation<Event?, Never>?
  }

  private let state = Mutex(State())
  private let capacity: Int
  private let overflow: Event
  private let merge: Merge

  init(capacity: Int = 1_024, overflow: Event, merge: @escaping Merge = { _, _ in nil }) {
    self.capacity = capacity
    self.overflow = overflow
    self.merge = merge
  }

  /// Adds an event.
  ///
  /// After `finish`, it adds nothing.
  func send(_ event: Event) {
    let waiting = state.withLock { state -> CheckedContinuation<Event?, Never>? in
      guard state.end == nil else { return nil }
      if let waiting = state.waiting {
        state.waiting = nil
        return waiting
      }
      add(event, to: &state.events)
      return nil
    }
    waiting?.resume(returning: event)
  }

  private func add(_ event: Event, to events: inout [Event]) {
    if let last = events.last, let merged = merge(last, event) {
      events[events.count - 1] = merged
    } else if events.count >= capacity {
      events = [overflow, event]
    } else {
      events.append(event)
    }
  }

  /// Ends the queue.
  ///
  /// Waiting events are still delivered.
  func finish(_ end: Result<Void, DragboardError> = .success(())) {
    let waiting = state.withLock { state -> CheckedContinuation<Event?, Never>? in
      if state.end == nil { state.end = end }
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: nil)
  }

  /// Waits for the next event; nil after the last event.
  ///
  /// Only one task may wait at a time.
  /// - Throws: the error that was passed to `finish`; `cancelled` if the task is cancelled.
  func next() async throws(DragboardError) -> Event? {
    let event = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ready = state.withLock { state -> Event?? in
          if !state.events.isEmpty { return state.events.removeFirst() }
          if state.end != nil || Task.isCancelled { return .some(nil) }
          state.waiting = continuation
          return nil
        }
        if let ready { continuation.resume(returning: ready) }
      }
    } onCancel: {
      wakeUp()
    }
    if let event { return event }
    if Task.isCancelled { throw .cancelled }
    try state.withLock(\.end)?.get()
    return nil
  }

  private func wakeUp() {
    let waiting = state.withLock { state -> CheckedContinuation<Event?, Never>? in
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume(returning: nil)
  }
}
