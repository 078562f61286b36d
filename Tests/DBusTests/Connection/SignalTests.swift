import DBus
import Testing

@Suite("Signals")
struct SignalTests {
  let bus: EchoBus
  let client: Client

  init() throws {
    bus = try EchoBus()
    client = try bus.client()
  }

  /// Logs the arguments of Said.
  private func follow() async -> Subscription {
    await client.run { client in
      client.connection.subscribe(to: Echo.said, from: Echo.path, of: Echo.busName) {
        [weak client] text, number in
        client?.assumeIsolated { $0.note("\(text) \(number)") }
      }
    }
  }

  @Test("Signals come in their order, before the reply to the call that sent them")
  func order() async throws {
    _ = await follow()
    let count: UInt32 = 500
    _ = try await client.call(Echo.say, "x", count)
    #expect(await client.log == (0..<count).map { "x \($0)" })
  }

  @Test("A call after a subscription happens after the subscription")
  func subscribedAtOnce() async throws {
    for round in 1...50 {
      let other = try bus.client()
      await other.run { other in
        other.follow(MatchRule(interface: Echo.interface, member: "Said")) { _ in "said" }
      }
      _ = try await other.call(Echo.say, "round \(round)", 1)
      #expect(await other.log == ["said"])
    }
  }

  @Test("A cancelled subscription gets no more signals; others do")
  func unsubscribe() async throws {
    let subscription = await follow()
    await client.run { client in
      client.follow(MatchRule(sender: Echo.busName, member: "Said")) { _ in "other" }
    }
    _ = try await client.call(Echo.say, "x", 1)
    await client.run { client in
      client.connection.unsubscribe(subscription)
      client.connection.unsubscribe(subscription)
    }
    _ = try await client.call(Echo.say, "x", 1)
    #expect(await client.log == ["x 0", "other", "other"])
  }

  @Test("A handler may subscribe; the new subscription gets later signals")
  func subscribeFromHandler() async throws {
    await client.run { client in
      var isFirst = true
      client.connection.subscribe(to: Echo.said) { [weak client] _, number in
        client?.assumeIsolated { client in
          client.note("first \(number)")
          guard isFirst else { return }
          isFirst = false
          client.connection.subscribe(to: Echo.said) { [weak client] _, number in
            client?.assumeIsolated { $0.note("second \(number)") }
          }
        }
      }
    }
    _ = try await client.call(Echo.say, "x", 2)
    #expect(await client.log == ["first 0", "first 1", "second 1"])
  }

  @Test("A signal with types other than declared is ignored")
  func otherTypes() async throws {
    _ = await follow()
    let other = SignalDeclaration<Arguments<UInt32>>(Echo.interface, "Said", "number")
    try await client.call(Echo.nothing)
    await bus.service.run { $0.connection.emit(other, from: Echo.path, 1) }
    _ = try await client.call(Echo.say, "x", 1)
    #expect(await client.log == ["x 0"])
  }

  @Test("A signal of another object, or of another sender, does not match")
  func otherOrigin() async throws {
    let sender = try BusName(client.connection.uniqueName)
    await client.run { client in
      client.follow(MatchRule(sender: sender, member: "Said")) { _ in "from itself" }
      client.follow(MatchRule(path: "/other", member: "Said")) { _ in "from elsewhere" }
    }
    _ = await follow()
    _ = try await client.call(Echo.say, "x", 1)
    await client.run { $0.connection.emit(Echo.said, from: "/other", "y", 0) }
    #expect(await client.logged(3) == ["x 0", "from itself", "from elsewhere"])
  }
}
