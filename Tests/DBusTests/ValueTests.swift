import DBus
import Testing

@Suite("Values through a bus", .timeLimit(.minutes(1)))
struct ValueTests {
  @Test("Nothing at all comes back")
  func nothing() async throws {
    let bus = try EchoBus()
    let client = try bus.client()
    try await client.call(Echo.nothing)
    #expect(try await client.call(Echo.byte, 7) == 7)
  }
}
