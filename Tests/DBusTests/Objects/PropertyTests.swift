import DBus
import Testing

@Suite("Properties")
struct PropertyTests {
  let bus: EchoBus
  let client: Client

  init() throws {
    bus = try EchoBus()
    client = try bus.client()
  }

  private func refusal(_ member: MemberName, _ first: String, _ second: String) async -> DBusError?
  {
    await client.refusal(
      of: Echo.message(member, of: PropertiesInterface.name, first, second))
  }

  private func refusalOfSet(_ property: String, to value: Value) async -> DBusError? {
    await client.refusal(
      of: Echo.message(
        "Set", of: PropertiesInterface.name, Echo.interface.text, property, Variant(value)))
  }

  @Test("A property has the value that was set")
  func getAndSet() async throws {
    #expect(try await client.get(Echo.level) == 1)
    try await client.set(Echo.level, to: 42)
    #expect(try await client.get(Echo.level) == 42)
    #expect(try await client.get(Echo.tags) == ["a", "b"])
  }

  @Test("GetAll returns all properties of an interface, or with an empty name of the object")
  func getAll() async throws {
    let all: [String: Variant] = [
      "Level": Variant(.uint32(1)), "Title": Variant(.string("echo")),
      "Tags": Variant(.array(of: "s", [.string("a"), .string("b")])),
      "Secret": Variant(.string("hidden")), "Version": Variant(.uint32(7)),
      "Ticks": Variant(.uint64(0)),
    ]
    #expect(try await client.call(PropertiesInterface.getAll, Echo.interface.text) == all)
    #expect(try await client.call(PropertiesInterface.getAll, "") == all)
    #expect(try await client.call(PropertiesInterface.getAll, PeerInterface.name.text).isEmpty)
  }

  @Test("Get and Set with an empty interface name find the property by its name")
  func emptyInterface() async throws {
    let version = try await client.call(PropertiesInterface.get, "", "Version")
    #expect(version == Variant(.uint32(7)))
    try await client.call(PropertiesInterface.set, "", "Level", Variant(.uint32(9)))
    #expect(try await client.get(Echo.level) == 9)
    #expect(await refusal("Get", "", "Missing")?.name == .unknownProperty)
  }

  @Test("Unknown properties and interfaces are refused by their own errors")
  func unknown() async throws {
    #expect(
      await refusal("Get", Echo.interface.text, "Missing")
        == DBusError(.unknownProperty, "property: org.example.Echo has no property 'Missing'"))
    #expect(await refusalOfSet("Missing", to: .byte(1))?.name == .unknownProperty)
    #expect(await refusal("Get", "org.example.Other", "Level")?.name == .unknownInterface)
    #expect(await refusal("Get", "no interface name", "Level")?.name == .unknownInterface)
    #expect(await refusal("Get", PeerInterface.name.text, "Level")?.name == .unknownProperty)
  }

  @Test("A property that is only read cannot be set")
  func readOnly() async throws {
    #expect(
      await refusalOfSet("Tags", to: .array(of: "s", []))
        == DBusError(.propertyReadOnly, "property: Tags of org.example.Echo cannot be set"))
    #expect(await refusalOfSet("Version", to: .uint32(8))?.name == .propertyReadOnly)
  }

  @Test("A value of another type, and a value that the service refuses, change nothing")
  func refusedValues() async throws {
    #expect(
      await refusalOfSet("Level", to: .string("5"))
        == DBusError(.invalidArgs, "Level: the value is of type 's' (expected 'u')"))
    #expect(await refusalOfSet("Level", to: .int32(5))?.name == .invalidArgs)
    #expect(await refusalOfSet("Level", to: .variant(.uint32(5)))?.name == .invalidArgs)
    #expect(
      await refusalOfSet("Level", to: .uint32(101))
        == DBusError(.invalidArgs, "Level is 0 to 100"))
    #expect(try await client.get(Echo.level) == 1)
  }

  @Test("Reading a property as another type fails in the client")
  func otherType() async throws {
    let asText = PropertyDeclaration<String>(Echo.interface, "Level")
    let refusal = await #expect(throws: DBusError.self) { try await client.get(asText) }
    #expect(refusal?.message == "the value is of type 'u' (expected 's')")
  }

  // MARK: Changes

  /// Logs the sorted changes of each PropertiesChanged.
  private func followChanges() async {
    await client.run { client in
      client.follow(MatchRule(sender: Echo.busName, member: "PropertiesChanged")) { signal in
        let content = try? signal.arguments(
          as: String.self, [String: Variant].self, [String].self)
        guard let (interface, values, names) = content else { return "ill-typed" }
        let changes = values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.value)" }
        return ([interface] + changes + names).joined(separator: " ")
      }
    }
  }

  @Test("One call makes one PropertiesChanged with every changed property, before its reply")
  func oncePerCall() async throws {
    await followChanges()
    await client.run { client in
      client.connection.call(Echo.touch, at: Echo.path, of: Echo.busName) { [weak client] _ in
        client?.assumeIsolated { $0.note("reply") }
      }
    }
    #expect(
      await client.logged(2) == [
        #"org.example.Echo Level=uint32(3) Title=string("touched") Secret"#, "reply",
      ])
    try await client.call(Echo.nothing)
    #expect(await client.log.count == 2)
  }

  @Test("Set makes PropertiesChanged; a value that was refused makes none")
  func setTells() async throws {
    await followChanges()
    try await client.set(Echo.title, to: "new")
    _ = await refusalOfSet("Level", to: .uint32(101))
    try await client.set(Echo.secret, to: "deep")
    #expect(
      await client.log == [
        #"org.example.Echo Title=string("new")"#, "org.example.Echo Secret",
      ])
  }

  @Test("A change outside a call is reported at the end of the iteration, once")
  func outsideOfCalls() async throws {
    await followChanges()
    try await client.call(Echo.nothing)
    await bus.service.run { service in
      service.server.noteChange(of: Echo.level, at: Echo.path)
      service.server.noteChange(of: Echo.level, at: Echo.path)
    }
    #expect(await client.logged(1) == ["org.example.Echo Level=uint32(1)"])
    try await client.call(Echo.nothing)
    #expect(await client.log.count == 1)
  }

  @Test("A constant property, a silent property, and a missing object are never reported")
  func neverTold() async throws {
    await followChanges()
    try await client.call(Echo.nothing)
    await bus.service.run { service in
      service.server.noteChange(of: Echo.version, at: Echo.path)
      service.server.noteChange(of: Echo.ticks, at: Echo.path)
      service.server.noteChange(of: Echo.level, at: "/nowhere")
    }
    try await client.call(Echo.nothing)
    #expect(await client.log.isEmpty)
  }
}
