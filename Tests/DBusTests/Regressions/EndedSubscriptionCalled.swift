import DBus
import Testing

@Suite("Regression: a subscription that had ended was called")
struct EndedSubscriptionCalled {
  @Test("A handler may cancel any subscription while a signal is being delivered")
  func unsubscribeFromHandler() async throws {
    let bus = try EchoBus()
    let client = try bus.client()
    await client.run { client in
      var all: [Subscription] = []
      for number in 1...3 {
        all.append(
          client.connection.subscribe(to: Echo.said) { [weak client] _, _ in
            client?.assumeIsolated { client in
              client.note("handler \(number)")
              for subscription in all { client.connection.unsubscribe(subscription) }
            }
          })
      }
    }
    _ = try await client.call(Echo.say, "x", 3)
    #expect(await client.log == ["handler 1"])
  }

  @Test("A cancelled watch does not report a departure, although the bus was asked about it")
  func departureUnwatched() async throws {
    let bus = try EchoBus()
    let client = try bus.client()
    await client.run { client in
      let subscription = client.connection.names.watchDeparture(of: ":1.4242") {
        Issue.record("told")
      }
      client.connection.unsubscribe(subscription)
    }
    try await client.call(Echo.nothing)
  }
}
