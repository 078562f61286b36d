import DBus
import TestSupport
import Testing

@Suite("Names and their owners")
struct NameTests {
  let bus: EchoBus
  let client: Client
  let name: BusName = "org.example.Name"

  init() throws {
    bus = try EchoBus()
    client = try bus.client()
  }

  /// Logs the owners of a name.
  private func follow(_ name: BusName, by client: Client) async {
    await client.run { client in
      client.connection.names.watchOwner(of: name) { [weak client] owner in
        client?.assumeIsolated { $0.note("owner: \(owner ?? "nobody")") }
      }
    }
  }

  @Test("A name has one owner, is refused to others, and is free again when it is released")
  func requestAndRelease() async throws {
    let other = try bus.client()
    let name = name
    await follow(name, by: client)
    try await client.call(Echo.nothing)
    #expect(try await other.run { try $0.connection.names.request(name) } == .owner)
    #expect(try await other.run { try $0.connection.names.request(name) } == .owner)
    #expect(try await client.run { try $0.connection.names.request(name) } == .taken)
    try await other.run { try $0.connection.names.release(name) }
    #expect(try await client.run { try $0.connection.names.request(name) } == .owner)
    #expect(
      await client.logged(3) == [
        "owner: \(other.connection.uniqueName)", "owner: nobody",
        "owner: \(client.connection.uniqueName)",
      ])
  }

  @Test("A name that no connection may own is refused with the error of the bus")
  func refused() async throws {
    let refusal = await #expect(throws: DBusError.self) {
      try await client.run { try $0.connection.names.request(.bus) }
    }
    #expect(refusal?.name == .invalidArgs)
  }

  @Test("Messages that arrive during the request for a name are handled")
  func requestWhileMessagesArrive() async throws {
    let name = name
    await client.run { client in
      client.follow(MatchRule(interface: Echo.interface, member: "Said")) { _ in "said" }
    }
    try await client.call(Echo.nothing)
    for round in 1...20 {
      await bus.service.run { $0.connection.emit(Echo.said, from: "/", "x", 1) }
      try await client.run { client in
        _ = try client.connection.names.request(name)
        try client.connection.names.release(name)
      }
      #expect(await client.logged(round).count == round)
    }
  }

  @Test("The departure of a peer is reported once")
  func departure() async throws {
    let loop = try EventLoop()
    let peer = try Connection(to: bus.bus.address, on: loop)
    let name = try BusName(peer.uniqueName)
    await watch(name)
    try await client.call(Echo.nothing)
    #expect(await client.log.isEmpty)
    peer.close()
    #expect(await client.logged(1) == ["gone"])
    try await client.call(Echo.nothing)
    #expect(await client.log == ["gone"])
  }

  @Test("The departure of a peer that had left before is reported, too, once")
  func departureBefore() async throws {
    await watch(":1.4242")
    #expect(await client.logged(1) == ["gone"])
    try await client.call(Echo.nothing)
    #expect(await client.log == ["gone"])
  }

  @Test(
    "A departure during the request is reported exactly once, in any order of events")
  func departureRaces() async throws {
    for round in 1...50 {
      let peer = try Connection(to: bus.bus.address, on: EventLoop())
      let name = try BusName(peer.uniqueName)
      async let closing: Void = Task.detached { peer.close() }.value
      await watch(name)
      await closing
      #expect(await client.logged(round).count == round)
    }
    try await client.call(Echo.nothing)
    #expect(await client.log.count == 50)
  }

  private func watch(_ peer: BusName) async {
    await client.run { client in
      client.connection.names.watchDeparture(of: peer) { [weak client] in
        client?.assumeIsolated { $0.note("gone") }
      }
    }
  }
}
