import DBus
import TestSupport
import Testing

@Suite("The end of a connection")
struct DisconnectionTests {
  let bus: EchoBus
  let client: Client

  init() throws {
    bus = try EchoBus()
    client = try bus.client()
  }

  /// Logs the outcome of a call that the service does not answer, and then the end of the
  /// connection.
  private func waitForTheEnd() async throws {
    try await client.run { client in
      let peer = try Connection(to: bus.bus.address, on: EventLoop())
      let name = try BusName(peer.uniqueName)
      for number in 1...2 {
        client.connection.call(Echo.nothing, at: "/", of: name, timeout: nil) {
          [weak client] result in
          let line = "call \(number): \(result.failure?.name.text ?? "answered")"
          client?.assumeIsolated { $0.note(line) }
        }
      }
      client.connection.onDisconnect = { [weak client] in
        client?.assumeIsolated { $0.note("disconnected") }
      }
      client.keep(peer)
    }
    try await client.call(Echo.nothing)
  }

  @Test("When the bus ends, pending calls fail in order, then onDisconnect is called once")
  func busGone() async throws {
    try await waitForTheEnd()
    bus.bus.stop()
    let error = ErrorName.disconnected.text
    #expect(
      await client.logged(3) == ["call 1: \(error)", "call 2: \(error)", "disconnected"])
  }

  @Test("After the end of the bus, calls and properties fail at once, and sending is not an error")
  func afterwards() async throws {
    try await waitForTheEnd()
    bus.bus.stop()
    _ = await client.logged(3)
    let refusal = await #expect(throws: DBusError.self) {
      try await client.call(Echo.nothing, timeout: nil)
    }
    #expect(refusal?.name == .disconnected)
    await client.run { client in
      client.connection.emit(Echo.said, from: "/", "nobody hears", 1)
      client.connection.unsubscribe(client.connection.subscribe(to: MatchRule()) { _ in })
      client.connection.close()
      client.connection.close()
    }
    #expect(await client.log.count == 3)
  }

  @Test("After the end of the bus, the loop waits and does not spin")
  func noSpinning() async throws {
    try await waitForTheEnd()
    bus.bus.stop()
    _ = await client.logged(3)
    await client.run { client in
      var turns = 0
      client.connection.onIterationEnd = { turns += 1 }
      client.connection.loop.schedule(after: .milliseconds(50)) { [weak client] in
        client?.assumeIsolated { $0.note(turns < 20 ? "rested" : "\(turns) turns") }
      }
    }
    #expect(await client.logged(4).last == "rested")
  }

  @Test("Closing fails pending calls, sends queued messages, and ends everything else")
  func close() async throws {
    let other = try bus.client()
    await other.run { other in
      other.follow(MatchRule(interface: Echo.interface, member: "Said")) { _ in "said" }
    }
    try await other.call(Echo.nothing)
    try await waitForTheEnd()
    await client.run { client in
      client.connection.emit(Echo.said, from: "/", "last", 1)
      client.connection.close()
    }
    let error = ErrorName.disconnected.text
    #expect(await client.log == ["call 1: \(error)", "call 2: \(error)"])
    #expect(await other.logged(1) == ["said"])
    let refusal = await #expect(throws: DBusError.self) { try await client.call(Echo.nothing) }
    #expect(refusal?.name == .disconnected)
  }

  @Test("A handler may close its connection; messages that had arrived are not handled")
  func closeFromHandler() async throws {
    await client.run { client in
      for number in 1...2 {
        client.connection.subscribe(to: Echo.said) { [weak client] (_, _) in
          client?.assumeIsolated { client in
            client.note("said to \(number)")
            client.connection.close()
          }
        }
      }
      client.connection.onIterationEnd = { [weak client] in
        client?.assumeIsolated { if !$0.log.isEmpty { $0.note("batch ended") } }
      }
    }
    let refusal = await #expect(throws: DBusError.self) { try await client.call(Echo.say, "x", 9) }
    #expect(refusal?.name == .disconnected)
    #expect(await client.log == ["said to 1"])
  }

  @Test("A connection that is released leaves the bus")
  func released() async throws {
    let loop = try EventLoop()
    var connection: Connection? = try Connection(to: bus.bus.address, on: loop)
    let name = try #require(connection?.uniqueName)
    #expect(try await client.call(BusInterface.nameHasOwner, at: BusInterface.path, of: .bus, name))
    await client.run { client in
      client.connection.names.watchOwner(of: BusName(unchecked: name)) { [weak client] owner in
        client?.assumeIsolated { $0.note("owner: \(owner ?? "nobody")") }
      }
    }
    connection = nil
    #expect(await client.logged(1) == ["owner: nobody"])
  }

  @Test("Connecting to an address without a bus fails with the reason")
  func noBus() throws {
    let address = bus.bus.address
    bus.bus.stop()
    let refusal = #expect(throws: DBusError.self) {
      try Connection(to: address, on: EventLoop())
    }
    #expect([.noServer, "org.freedesktop.DBus.Error.FileNotFound"].contains(refusal?.name))
    #expect(throws: DBusError.self) { try Connection(to: "nonsense", on: EventLoop()) }
  }
}

extension Result {
  /// The error, if the result is a failure.
  var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
