import DBus
import TestSupport
import Testing

@Suite("The dispatch of calls")
struct DispatchTests {
  let bus: EchoBus
  let client: Client

  init() throws {
    bus = try EchoBus()
    client = try bus.client()
  }

  @Test("A call without an interface finds the method by its name")
  func withoutInterface() async throws {
    let reply = try await client.send(Echo.message("Sum", of: nil, Int32(2), Int32(3))).get()
    let (sum, isWhole) = try reply.arguments(as: Int32.self, Bool.self)
    #expect(sum == 5 && isWhole)
    _ = try await client.send(Echo.message("Ping", of: nil)).get()
    _ = try await client.send(Echo.message("Introspect", of: nil)).get()
    let get = try await client.send(
      Echo.message("Get", of: nil, Echo.interface.text, "Version")
    ).get()
    #expect(try get.arguments(as: Variant.self) == Variant(.uint32(7)))
  }

  @Test("An unknown name is refused by the standard error that names it")
  func unknown() async throws {
    func refusal(_ call: OutgoingMessage) async -> DBusError? { await client.refusal(of: call) }
    #expect(
      await refusal(Echo.message("Nothing", at: "/org/nowhere"))
        == DBusError(.unknownObject, "path: there is no object at /org/nowhere"))
    #expect(
      await refusal(Echo.message("Nothing", of: nil, at: "/org/nowhere"))?.name == .unknownObject)
    #expect(
      await refusal(Echo.message("Introspect", of: IntrospectableInterface.name, at: "/nowhere"))?
        .name == .unknownObject)
    #expect(
      await refusal(Echo.message("Nothing", of: "org.example.Other"))
        == DBusError(
          .unknownInterface, "interface: /org/example/Echo has no interface 'org.example.Other'"))
    #expect(
      await refusal(Echo.message("Missing"))
        == DBusError(.unknownMethod, "method: org.example.Echo has no method 'Missing'"))
    #expect(
      await refusal(Echo.message("Missing", of: nil))
        == DBusError(.unknownMethod, "method: no interface of this object has a method 'Missing'"))
    #expect(
      await refusal(Echo.message("Nothing", at: "/org/example"))?.name == .unknownInterface)
  }

  @Test("Arguments of other types are refused, and the message names the expected types")
  func illTyped() async throws {
    func words(_ actual: String) -> String {
      "Sum: the arguments are of type '\(actual)' (expected left: i, right: i)"
    }
    let none = await client.refusal(of: Echo.message("Sum"))
    #expect(none == DBusError(.invalidArgs, words("")))
    let other = await client.refusal(of: Echo.message("Sum", "1", Int32(2)))
    #expect(other == DBusError(.invalidArgs, words("si")))
    let more = await client.refusal(of: Echo.message("Sum", Int32(1), Int32(2), Int32(3)))
    #expect(more == DBusError(.invalidArgs, words("iii")))
    let nothing = await client.refusal(of: Echo.message("Nothing", [String: Variant]()))
    #expect(
      nothing
        == DBusError(.invalidArgs, "Nothing: the arguments are of type 'a{sv}' (expected none)"))
    let standard = await client.refusal(
      of: Echo.message("Get", of: PropertiesInterface.name, "one"))
    #expect(
      standard?.message
        == "Get: the arguments are of type 's' (expected interface_name: s, property_name: s)")
  }

  @Test("An error of the method arrives with its name and its message")
  func thrown() async throws {
    let refusal = await #expect(throws: DBusError.self) {
      try await client.call(Echo.fail, "org.example.Error.Odd", "it's odd: ü")
    }
    #expect(refusal == DBusError("org.example.Error.Odd", "it's odd: ü"))
  }

  @Test("The interface Peer answers on any path, with or without an object")
  func peer() async throws {
    for path in ["/", "/org/example/Echo", "/nowhere/at/all"] as [ObjectPath] {
      try await client.call(PeerInterface.ping, at: path)
      let id = try await client.call(PeerInterface.getMachineID, at: path)
      #expect(id.count == 32 && id.allSatisfy(\.isHexDigit))
    }
  }

  @Test("A call that expects no reply gets neither a reply nor an error")
  func noReply() async throws {
    await client.run { client in
      for member in ["Nothing", "Missing"] as [MemberName] {
        let call = Echo.message(member)
        call.expectNoReply()
        client.connection.send(call, timeout: nil) { _ in client.note("replied to \(member)") }
      }
      let illTyped = Echo.message("Sum", "text")
      illTyped.expectNoReply()
      client.connection.send(illTyped)
    }
    // The bus keeps the order, so a reply to an earlier call would have arrived before this reply.
    #expect(try await client.call(Echo.countCalls) == 1)
    #expect(await client.log.isEmpty)
  }

  @Test("Calls of one client are answered in their order")
  func order() async throws {
    await client.run { client in
      for number in 0..<100 as Range<Int32> {
        client.connection.call(
          Echo.sum, at: Echo.path, of: Echo.busName, number, 1
        ) { [weak client] result in
          let sum = (try? result.get().0) ?? -1
          client?.assumeIsolated { $0.note("\(sum)") }
        }
      }
    }
    #expect(await client.logged(100) == (1...100).map(String.init))
  }

  @Test("A connection that exports nothing refuses calls")
  func noObjects() async throws {
    let other = try bus.client()
    let name = try BusName(other.connection.uniqueName)
    let refusal = await #expect(throws: DBusError.self) {
      try await client.call(PeerInterface.ping, of: name)
    }
    #expect(refusal?.name == .unknownObject)
  }

  @Test("Thousands of meaningless calls and signals do not change the service")
  func nonsense() async throws {
    var generator = SplitMix64(seed: 3)
    let members: [MemberName] = ["Sum", "Get", "Set", "GetAll", "Variant", "Rows", "Introspect"]
    let interfaces: [InterfaceName?] = [nil, Echo.interface, PropertiesInterface.name, "x.y"]
    let paths: [ObjectPath] = [Echo.path, "/", "/org", "/org/example/Echo/child/none"]
    let values: [Value] = [
      .byte(0), .string(""), .string("Level"), .string("org.example.Echo"), .variant(.byte(1)),
      .array(of: "(suas)", []), .array(of: "s", [.string("")]), .structure([.double(0)]),
      .dictionary(key: "s", value: "v", []), .objectPath("/"), .signature(""),
    ]
    for _ in 0..<3_000 {
      let call = Echo.message(
        members.randomElement(using: &generator) ?? "Sum",
        of: interfaces.randomElement(using: &generator) ?? nil,
        at: paths.randomElement(using: &generator) ?? "/")
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        values.randomElement(using: &generator).map { call.append($0) }
      }
      await client.run { $0.connection.send(call) }
    }
    #expect(try await client.call(Echo.byte, 1) == 1)
    #expect(try await client.get(Echo.level) == 1)
  }
}

extension OutgoingMessage {
  /// Appends a value as an argument of its own type.
  fileprivate func append(_ value: Value) {
    switch value {
    case .byte(let value): append(value)
    case .string(let value): append(value)
    case .double(let value): append(value)
    case .objectPath(let value): append(value)
    case .signature(let value): append(value)
    case .variant(let value): append(Variant(value))
    case .array: append([String]())
    case .dictionary: append([String: Variant]())
    default: append(Structure(Double(0)))
    }
  }
}
