import Testing

@testable import DragboardClient

@Suite("Events between the loop and a task")
struct EventBufferTests {
  @Test("Events are returned in order, and then the end")
  func order() async throws {
    let buffer = EventBuffer(capacity: 4, overflow: -1)
    for event in 1...3 { buffer.send(event) }
    buffer.finish()
    buffer.send(4)
    var events: [Int] = []
    while let event = try await buffer.next() { events.append(event) }
    #expect(events == [1, 2, 3])
  }

  @Test("Above the capacity, all waiting events are dropped, and one event reports it")
  func overflow() async throws {
    let buffer = EventBuffer(capacity: 4, overflow: -1)
    for event in 1...5 { buffer.send(event) }
    #expect(try await buffer.next() == -1)
    #expect(try await buffer.next() == 5)
  }

  @Test("The number of waiting events never exceeds the capacity")
  func bound() async throws {
    let buffer = EventBuffer(capacity: 4, overflow: -1)
    for event in 1...1_000 { buffer.send(event) }
    buffer.finish()
    var count = 0
    while try await buffer.next() != nil { count += 1 }
    #expect(count <= 4)
  }

  @Test("A newer event replaces the event before it if the two merge")
  func merging() async throws {
    let buffer = EventBuffer(capacity: 4, overflow: -1) { old, new in
      old / 10 == new / 10 ? new : nil
    }
    for event in [11, 12, 13, 21, 11] { buffer.send(event) }
    buffer.finish()
    var events: [Int] = []
    while let event = try await buffer.next() { events.append(event) }
    #expect(events == [13, 21, 11])
  }

  @Test("A waiting task gets the next event")
  func waiting() async throws {
    let buffer = EventBuffer(overflow: -1)
    async let event = buffer.next()
    buffer.send(7)
    #expect(try await event == 7)
  }

  @Test("After the waiting events, the error of the end is thrown")
  func failure() async throws {
    let buffer = EventBuffer(overflow: -1)
    buffer.send(1)
    buffer.finish(.failure(.disconnected))
    buffer.finish()
    #expect(try await buffer.next() == 1)
    await expect(.disconnected) { _ = try await buffer.next() }
  }

  @Test("Cancelling the task ends the wait")
  func cancelling() async throws {
    let buffer = EventBuffer(overflow: -1)
    let task = Task { try await buffer.next() }
    task.cancel()
    await expect(.cancelled) { _ = try await task.value }
    buffer.send(1)
    #expect(try await buffer.next() == 1)
  }
}
