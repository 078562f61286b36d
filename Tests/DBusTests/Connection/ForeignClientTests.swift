import DBus
import TestSupport
import Testing

@Suite("Other D-Bus tools as clients")
struct ForeignClientTests {
  let bus: EchoBus
  init() throws { bus = try EchoBus() }

  @Test(
    "dbus-send sends and receives every type that it supports",
    arguments: [
      ("Byte", "byte:255", "byte 255"), ("Boolean", "boolean:true", "boolean true"),
      ("Int16", "int16:-5", "int16 -5"), ("Uint16", "uint16:5", "uint16 5"),
      ("Int32", "int32:-5", "int32 -5"), ("Uint32", "uint32:5", "uint32 5"),
      ("Int64", "int64:-5", "int64 -5"), ("Uint64", "uint64:5", "uint64 5"),
      ("Double", "double:0.5", "double 0.5"), ("String", "string:ü b", #"string "ü b""#),
      ("ObjectPath", "objpath:/a/b", #"object path "/a/b""#),
      ("Strings", "array:string:a,b", "array [\nstring \"a\"\nstring \"b\"\n]"),
      ("Variant", "variant:int32:4", "variant       int32 4"),
      (
        "Names", "dict:int32:string:1,a",
        "array [\ndict entry(\nint32 1\nstring \"a\"\n)\n]"
      ),
    ])
  func dbusSend(method: String, argument: String, reply: String) throws {
    #expect(try bus.dbusSend("org.example.Echo.\(method)", argument) == reply)
  }

  @Test("dbus-send prints the name and the message of an error")
  func dbusSendErrors() throws {
    #expect(
      try bus.dbusSend("org.example.Echo.Fail", "string:org.example.Odd", "string:how odd")
        == "Error org.example.Odd: how odd")
    #expect(
      try bus.dbusSend("org.example.Echo.Sum", "string:1")
        == "Error org.freedesktop.DBus.Error.InvalidArgs: "
        + "Sum: the arguments are of type 's' (expected left: i, right: i)")
  }

  @Test("dbus-send reads and sets properties")
  func dbusSendProperties() throws {
    let properties = PropertiesInterface.name.text
    #expect(
      try bus.dbusSend(
        "\(properties).Set", "string:org.example.Echo", "string:Level", "variant:uint32:6") == "")
    #expect(
      try bus.dbusSend("\(properties).Get", "string:org.example.Echo", "string:Level")
        == "variant       uint32 6")
  }

  @Test(
    "gdbus sends and receives nested values",
    arguments: [
      ("Variant", "<(1, 'a', [<@ay []>])>", "(<(1, 'a', [<@ay []>])>,)"),
      ("Variants", "{'a': <1>}", "({'a': <1>},)"), ("Variants", "{}", "(@a{sv} {},)"),
      ("Rows", "[('a', 1, []), ('', 2, ['x'])]", "([('a', uint32 1, @as []), ('', 2, ['x'])],)"),
      (
        "Deep", "{'k': {'/o': [(-1, [<true>])]}}",
        "({'k': {objectpath '/o': [(int64 -1, [<true>])]}},)"
      ),
      ("Bytes", "[]", "(@ay [],)"), ("Signature", "'a{sv}'", "(signature 'a{sv}',)"),
      ("Nothing", nil, "()"),
    ] as [(String, String?, String)])
  func gdbus(method: String, argument: String?, reply: String) throws {
    let arguments = argument.map { [$0] } ?? []
    let answer =
      arguments.isEmpty
      ? try bus.gdbusCall("org.example.Echo.\(method)")
      : try bus.gdbusCall("org.example.Echo.\(method)", arguments[0])
    #expect(answer == reply)
  }

  @Test(
    "busctl sends and receives typed arguments",
    arguments: [
      ("Variant v as 2 a b", "v as 2 a b"), ("Deep a{sa{oa(xav)}} 0", "a{sa{oa(xav)}} 0"),
      ("Rows a(suas) 1 x 2 1 y", #"a(suas) 1 "x" 2 1 "y""#), ("Sum ii 2 3", "ib 5 true"),
      ("Doubles ad 2 0.5 -1", "ad 2 0.5 -1"), ("Booleans ab 2 true false", "ab 2 true false"),
    ])
  func busctl(call: String, reply: String) throws {
    let words = call.split(separator: " ").map(String.init)
    let answer = try bus.words(
      "busctl",
      ["--address=\(bus.bus.address)", "call", "--", Echo.busName.text, Echo.path.text]
        + [Echo.interface.text] + words)
    #expect(answer.replacing("\"", with: "") == reply.replacing("\"", with: ""))
  }

  @Test("busctl reads and sets properties")
  func busctlProperties() throws {
    let name = Echo.busName.text
    let path = Echo.path.text
    #expect(
      try bus.busctl("set-property", name, path, Echo.interface.text, "Title", "s", "new") == "")
    #expect(
      try bus.busctl("get-property", name, path, Echo.interface.text, "Title", "Level")
        == "s \"new\"\nu 1")
    #expect(
      try bus.busctl("set-property", name, path, Echo.interface.text, "Version", "u", "8")
        .contains("property: Version of org.example.Echo cannot be set"))
  }

  @Test("dbus-monitor sees a signal with its arguments")
  func dbusMonitor() async throws {
    let monitor = try ChildProcess(
      "dbus-monitor", ["--session", "interface='\(Echo.interface)'"],
      environment: bus.bus.environment)
    // The bus removes the connection's name when the connection has become a monitor.
    while let line = monitor.nextLine(), !line.contains("member=NameLost") {}
    let client = try bus.client()
    _ = try await client.call(Echo.say, "hello", 1)
    while let line = monitor.nextLine(),
      !line.contains("path=/org/example/Echo") || !line.contains("member=Said")
    {}
    #expect(monitor.nextLine() == #"   string "hello""#)
    #expect(monitor.nextLine() == "   uint32 0")
  }
}
