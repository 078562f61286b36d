import DBus
import Testing

@Suite("ObjectManager")
struct ObjectManagerTests {
  let bus: EchoBus
  let client: Client

  init() throws {
    bus = try EchoBus()
    client = try bus.client()
  }

  @Test("GetManagedObjects returns every object below the root with all its properties")
  func managedObjects() async throws {
    #expect(try await client.call(ObjectManagerInterface.getManagedObjects).isEmpty)
    _ = try await client.call(Echo.add, "one")
    _ = try await client.call(Echo.add, "three")
    let objects = try await client.call(ObjectManagerInterface.getManagedObjects)
    func child(_ name: String, _ size: UInt32) -> ObjectManagerInterface.Interfaces {
      [Child.interface.text: ["Name": Variant(.string(name)), "Size": Variant(.uint32(size))]]
    }
    #expect(
      objects == [
        "/org/example/Echo/child/one": child("one", 3),
        "/org/example/Echo/child/three": child("three", 5),
      ])
  }

  /// Logs the signals of the object manager.
  private func follow() async {
    let added = MatchRule(interface: ObjectManagerInterface.name, member: "InterfacesAdded")
    let removed = MatchRule(interface: ObjectManagerInterface.name, member: "InterfacesRemoved")
    await client.run { client in
      client.follow(added) { signal in
        let content = try? signal.arguments(
          as: ObjectPath.self, ObjectManagerInterface.Interfaces.self)
        let properties = content?.1[Child.interface.text]?.keys.sorted() ?? []
        return "\(signal.path ?? "") added \(content?.0.text ?? "") \(properties)"
      }
      client.follow(removed) { signal in
        let content = try? signal.arguments(as: ObjectPath.self, [String].self)
        return "\(signal.path ?? "") removed \(content?.0.text ?? "") \(content?.1 ?? [])"
      }
    }
  }

  @Test("A new or removed object is reported once, before the reply to the causing call")
  func comingAndGoing() async throws {
    await follow()
    let path = try await client.call(Echo.add, "one")
    #expect(
      await client.log == ["/org/example/Echo added \(path) [\"Name\", \"Size\"]"])
    try await client.call(Echo.remove, "one")
    try await client.call(Echo.remove, "one")
    #expect(
      await client.log.dropFirst() == [
        "/org/example/Echo removed \(path) [\"org.example.Child\"]"
      ])
  }

  @Test("A removed object is unknown, and its properties are no longer reported")
  func gone() async throws {
    let path = try await client.call(Echo.add, "one")
    #expect(
      try await client.call(PropertiesInterface.get, at: path, "", "Name")
        == Variant(.string("one")))
    await client.run { client in
      client.follow(MatchRule(member: "PropertiesChanged")) { "changed \($0.path ?? "")" }
    }
    try await client.call(Echo.nothing)
    await bus.service.run { service in
      service.server.noteChange(of: Child.size, at: path)
      service.server.withdraw(path)
      service.server.noteChange(of: Child.size, at: path)
    }
    let refusal = await #expect(throws: DBusError.self) {
      _ = try await client.call(PropertiesInterface.get, at: path, "", "Name")
    }
    #expect(refusal?.name == .unknownObject)
    #expect(await client.log.isEmpty)
  }

  @Test("An object that replaces another is reported as a removal and an addition")
  func replaced() async throws {
    await follow()
    let path = try await client.call(Echo.add, "one")
    _ = try await client.call(Echo.add, "one")
    #expect(
      await client.log == [
        "/org/example/Echo added \(path) [\"Name\", \"Size\"]",
        "/org/example/Echo removed \(path) [\"org.example.Child\"]",
        "/org/example/Echo added \(path) [\"Name\", \"Size\"]",
      ])
  }

  @Test("Only the managing root object has the interface")
  func onlyTheRoot() async throws {
    let path = try await client.call(Echo.add, "one")
    for path in [path, "/", "/org/example"] {
      let refusal = await #expect(throws: DBusError.self) {
        _ = try await client.call(ObjectManagerInterface.getManagedObjects, at: path)
      }
      #expect(refusal?.name == .unknownInterface)
    }
  }
}
