import DBus
import Foundation
import TestSupport
import Testing

@Suite("Introspection")
struct IntrospectionTests {
  let bus: EchoBus
  init() throws { bus = try EchoBus() }

  @Test("gdbus reads every member with its argument names and types")
  func gdbus() throws {
    let text = try bus.words(
      "gdbus", ["introspect", "--session", "--dest=\(Echo.busName)", "--object-path=\(Echo.path)"])
    let lines = Set(text.split(separator: "\n").map { $0.drop { $0 == " " } })
    for line in [
      "interface org.example.Echo {", "Nothing();", "Sum(in  i left,", "in  i right,",
      "out i sum,", "out b is_whole);", "Deep(in  a{sa{oa(xav)}} value,", "Said(s text,",
      "u number);", "readwrite u Level = 1;", "readonly as Tags = ['a', 'b'];",
      #"@org.freedesktop.DBus.Property.EmitsChangedSignal("invalidates")"#,
      #"@org.freedesktop.DBus.Property.EmitsChangedSignal("const")"#,
      #"@org.freedesktop.DBus.Property.EmitsChangedSignal("false")"#,
      "interface org.freedesktop.DBus.Properties {", "interface org.freedesktop.DBus.Peer {",
      "interface org.freedesktop.DBus.Introspectable {",
      "interface org.freedesktop.DBus.ObjectManager {",
    ] {
      #expect(lines.contains(Substring(line)), "\(line)")
    }
    #expect(text.components(separatedBy: "EmitsChangedSignal").count == 4)
  }

  @Test("busctl reads every member, with types, flags and values")
  func busctl() throws {
    let text = try bus.busctl("introspect", Echo.busName.text, Echo.path.text)
    let rows = text.split(separator: "\n").map { $0.split(separator: " ") }
    func row(_ name: String) -> [Substring] { rows.first { $0.first == name[...] } ?? [] }
    #expect(row(".Sum") == [".Sum", "method", "ii", "ib", "-"])
    #expect(row(".Said") == [".Said", "signal", "su", "-", "-"])
    #expect(row(".Level") == [".Level", "property", "u", "1", "emits-change", "writable"])
    #expect(
      row(".Secret") == [
        ".Secret", "property", "s", "\"hidden\"", "emits-invalidation", "writable",
      ])
    #expect(row(".Version") == [".Version", "property", "u", "7", "const"])
    #expect(row(".Ticks") == [".Ticks", "property", "t", "0", "-"])
    #expect(
      row(".GetManagedObjects") == [".GetManagedObjects", "method", "-", "a{oa{sa{sv}}}", "-"])
  }

  @Test("Paths that only lead to objects list their children")
  func intermediateNodes() async throws {
    let client = try bus.client()
    _ = try await client.call(Echo.add, "b")
    _ = try await client.call(Echo.add, "a")
    #expect(try await children(of: "/", client) == ["org"])
    #expect(try await children(of: "/org/example", client) == ["Echo"])
    #expect(try await children(of: Echo.path, client) == ["child"])
    #expect(try await children(of: "/org/example/Echo/child", client) == ["a", "b"])
    #expect(try await children(of: "/org/example/Echo/child/a", client) == [])
    try await client.call(Echo.remove, "a")
    try await client.call(Echo.remove, "b")
    #expect(try await children(of: Echo.path, client) == [])
  }

  @Test("busctl walks the tree down to every object")
  func tree() async throws {
    let client = try bus.client()
    _ = try await client.call(Echo.add, "a")
    let tree = try bus.busctl("tree", "--list", Echo.busName.text)
    #expect(
      tree.split(separator: "\n") == [
        "/", "/org", "/org/example", "/org/example/Echo", "/org/example/Echo/child",
        "/org/example/Echo/child/a",
      ])
  }

  private func children(of path: ObjectPath, _ client: Client) async throws -> [Substring] {
    let document = try await client.call(IntrospectableInterface.introspect, at: path)
    return document.matches(of: /<node name="([^"]*)"\/>/).map(\.output.1)
  }
}
