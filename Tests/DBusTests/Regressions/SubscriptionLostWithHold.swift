import DBus
import Testing

@Suite("Regression: a subscription was lost with held messages", .timeLimit(.minutes(20)))
struct SubscriptionLostWithHold {
  @Test("A subscription that is made while messages are held is not held, nor lost with them")
  func subscriptionWhileHeld() async throws {
    let bus = try EchoBus()
    let client = try bus.client()
    let other = try bus.client()
    await client.run { client in
      client.connection.hold()
      client.follow(MatchRule(interface: Echo.interface, member: "Said")) { _ in "said" }
      client.connection.refuseHeld(with: DBusError(.ioError, "the disk is full"))
    }
    try await client.call(Echo.nothing)
    _ = try await other.call(Echo.say, "x", 1)
    #expect(await client.logged(1) == ["said"])
  }
}
