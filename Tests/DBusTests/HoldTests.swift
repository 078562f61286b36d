import DBus
import Testing

@Suite("Messages held back", .timeLimit(.minutes(20)))
struct HoldTests {
  let bus: EchoBus
  let client: Client

  init() throws {
    bus = try EchoBus()
    client = try bus.client()
  }

  /// Calls without waiting; logs the outcome.
  private func call(_ member: MemberName) async {
    await client.run { client in
      client.connection.send(Echo.message(member), timeout: nil) { [weak client] result in
        let outcome = result.failure?.message ?? "done"
        client?.assumeIsolated { $0.note("\(member): \(outcome)") }
      }
    }
  }

  /// Logs signals and their texts.
  private func follow() async {
    await client.run { client in
      client.connection.subscribe(to: Echo.said) { [weak client] text, _ in
        client?.assumeIsolated { $0.note("said \(text)") }
      }
    }
  }

  /// Waits until the service has handled so many calls of Nothing.
  private func handled(_ count: UInt32) async {
    while await bus.service.run({ $0.calls }) < count {}
  }

  @Test("What is held is sent when it is released, in order, signals and replies")
  func release() async throws {
    await follow()
    for member in ["Hold", "Nothing", "Touch", "Sum", "Release"] as [MemberName] {
      await call(member)
      if member == "Nothing" {
        await bus.service.run { $0.connection.emit(Echo.said, from: "/", "between", 0) }
      }
    }
    let log = await client.logged(6)
    #expect(
      log.filter { !$0.hasPrefix("said") } == [
        "Hold: done", "Nothing: done", "Touch: done",
        "Sum: Sum takes (left: i, right: i); the call's arguments are of type ''",
        "Release: done",
      ])
    #expect(log.contains("said between"))
  }

  @Test("Nothing that is held reaches anybody before its release")
  func nothingBefore() async throws {
    await call("Hold")
    await call("Nothing")
    await handled(1)
    // The bus answers the service when it has passed on all that came before, and the client after that.
    await bus.service.run { _ = try? $0.connection.requestName(Echo.busName) }
    #expect(try await !client.call(BusInterface.nameHasOwner, at: "/", of: .bus, "a.b"))
    #expect(await client.log.isEmpty)
    await call("Release")
    #expect(await client.logged(3).count == 3)
  }

  @Test(
    "Where what is held is refused, what is provisional becomes the error, and the rest goes out")
  func refuse() async throws {
    await follow()
    try await client.call(Echo.nothing)
    await bus.service.run { service in
      service.connection.hold()
      service.connection.emit(Echo.said, from: "/", "never", 0)
    }
    for member in ["Nothing", "Hold", "Missing", "Refuse"] as [MemberName] { await call(member) }
    let outcomes = await client.logged(4)
    #expect(outcomes[0] == "Nothing: done")
    #expect(outcomes[1] == "Hold: the disk is full")
    #expect(outcomes[2].hasPrefix("Missing: ") && !outcomes[2].contains("disk"))
    #expect(outcomes[3] == "Refuse: done")
    try await client.call(Echo.nothing)
    #expect(await client.log.count == 4)
  }

  @Test("A reply is refused by an error that the caller gets from the service, with its serial")
  func refusedReply() async throws {
    async let refusal = #expect(throws: DBusError.self) { try await client.call(Echo.hold) }
    await handled(1)
    await bus.service.run {
      $0.connection.refuseHeld(with: DBusError(.ioError, "the disk is full"))
    }
    #expect(await refusal == DBusError(.ioError, "the disk is full"))
  }

  @Test("Calls that arrive while messages are held join the batch")
  func joining() async throws {
    await bus.service.run { service in
      service.connection.onBatchEnd = { [unowned service] in
        service.connection.releaseHeld()
      }
      service.connection.hold()
    }
    for _ in 0..<50 { await call("Nothing") }
    #expect(await client.logged(50).count == 50)
  }
}
