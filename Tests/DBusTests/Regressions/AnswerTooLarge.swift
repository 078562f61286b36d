import DBus
import Testing

@Suite("Regression: a large answer took the service off the bus")
struct AnswerTooLarge {
  /// An object whose replies are much longer than its arguments.
  private final class Repeater {
    static let path: ObjectPath = "/org/example/Repeater"
    static let interface: InterfaceName = "org.example.Repeater"
    static let repeated = MethodDeclaration<Arguments<String, UInt32>, Arguments<[String]>>(
      interface, "Repeat", in: "text", "times", out: "texts")

    static var table: InterfaceTable<Repeater, Call> {
      var table = InterfaceTable<Repeater, Call>(interface)
      table.method(repeated) { (_, _, text, times) throws(DBusError) in
        [String](repeating: text, count: Int(times))
      }
      return table
    }
  }

  @Test(
    "An answer too large for the bus becomes LimitsExceeded, and the service stays on the bus")
  func array() async throws {
    let bus = try EchoBus()
    await bus.service.run { service in
      service.server.export(
        Repeater.path, [ObjectInterface(Repeater.table, of: Repeater())])
    }
    let client = try bus.client()
    let text = String(repeating: "x", count: 1 << 20)
    let refusal = await #expect(throws: DBusError.self) {
      try await client.call(Repeater.repeated, at: Repeater.path, text, 64)
    }
    #expect(refusal?.name == .limitsExceeded)
    #expect(try await client.call(Repeater.repeated, at: Repeater.path, text, 2) == [text, text])
    #expect(try await client.call(Echo.byte, 1) == 1)
  }

  @Test("An interface name of 2 MB is refused with a short message")
  func longName() async throws {
    let bus = try EchoBus()
    let client = try bus.client()
    let name = String(repeating: "x", count: 2_000_000)
    let refusal = await client.refusal(
      of: Echo.message("GetAll", of: PropertiesInterface.name, name))
    let message = try #require(refusal).message
    #expect(!message.isEmpty)
    #expect(message.utf8.count < 2_000)
  }

  @Test("An error with a message of 2 MB is sent with the beginning of the message")
  func longMessage() async throws {
    let bus = try EchoBus()
    let client = try bus.client()
    let long = String(repeating: "x", count: 2_000_000)
    let refusal = await #expect(throws: DBusError.self) {
      try await client.call(Echo.fail, "org.example.Error.Long", long)
    }
    let message = try #require(refusal).message
    #expect(message.hasPrefix("xxx"))
    #expect(message.utf8.count < 2_000)
  }
}
