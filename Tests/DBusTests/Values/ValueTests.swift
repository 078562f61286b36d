import DBus
import Files
import Foundation
import TestSupport
import Testing

@Suite("Values through a bus")
struct ValueTests {
  let bus: EchoBus
  let client: Client

  init() throws {
    bus = try EchoBus()
    client = try bus.client()
  }

  private func check<Value: BusValue & Equatable>(
    _ method: Echo.Same<Value>, _ values: Value..., location: SourceLocation = #_sourceLocation
  ) async throws {
    for value in values {
      #expect(try await client.call(method, value) == value, sourceLocation: location)
    }
  }

  @Test("Integers are returned unchanged at both ends of their range")
  func integers() async throws {
    try await check(Echo.byte, .min, .max)
    try await check(Echo.int16, .min, -1, .max)
    try await check(Echo.uint16, .min, .max)
    try await check(Echo.int32, .min, -1, .max)
    try await check(Echo.uint32, .min, .max)
    try await check(Echo.int64, .min, -1, .max)
    try await check(Echo.uint64, .min, .max)
  }

  @Test("Booleans and doubles are returned unchanged")
  func booleansAndDoubles() async throws {
    try await check(Echo.boolean, true, false)
    try await check(Echo.double, 0.1, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude)
    let nan = try await client.call(Echo.double, .nan)
    #expect(nan.isNaN)
  }

  @Test("Texts are returned with the same bytes")
  func texts() async throws {
    try await check(Echo.string, "", "a", "Grüße, 世界 👩‍👩‍👧", "\u{FFFE}\u{10FFFF}", "line\nline\r\n\t")
    // These strings are equal in Swift but have different bytes; the bus must normalise neither.
    for text in ["e\u{301}", "\u{E9}"] {
      #expect(Array(try await client.call(Echo.string, text).utf8) == Array(text.utf8))
    }
    try await check(Echo.objectPath, "/", "/org/example/a_1")
    try await check(Echo.signature, "", "a{sv}(iu)")
  }

  @Test("U+0000, which the bus cannot carry, becomes U+FFFD")
  func nul() async throws {
    #expect(try await client.call(Echo.string, "a\0b\0") == "a\u{FFFD}b\u{FFFD}")
    #expect(try await client.call(Echo.strings, ["\0"]) == ["\u{FFFD}"])
    let refusal = await #expect(throws: DBusError.self) {
      try await client.call(Echo.fail, "org.example.Error", "a\0b")
    }
    #expect(refusal == DBusError("org.example.Error", "a\u{FFFD}b"))
  }

  @Test("Arrays are returned in order, also empty ones")
  func arrays() async throws {
    try await check(Echo.bytes, [], [0, 255, 7])
    try await check(Echo.booleans, [], [true, false, true])
    try await check(Echo.doubles, [], [1.5, -2])
    try await check(Echo.strings, [], [""], ["b", "a", "b"])
  }

  @Test("A mebibyte of bytes is returned unchanged")
  func mebibyte() async throws {
    var generator = SplitMix64(seed: 1)
    let bytes = (0..<1 << 20).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    #expect(try await client.call(Echo.bytes, bytes) == bytes)
  }

  @Test("Dictionaries, structs and nested values are returned unchanged")
  func containers() async throws {
    try await check(Echo.names, [:], [-1: "a", 5: ""])
    try await check(
      Echo.variants, [:], ["a": Variant(.int32(1)), "b": Variant(.array(of: "s", []))])
    let rows = try await client.call(
      Echo.rows, [Echo.Row("a", 1, []), Echo.Row("", 2, ["x", "y"])])
    #expect(rows.map(\.members.0) == ["a", ""])
    #expect(rows.map(\.members.1) == [1, 2])
    #expect(rows.map(\.members.2) == [[], ["x", "y"]])
  }

  @Test("Four levels of containers are returned unchanged")
  func deep() async throws {
    let deep: Echo.Deep = [
      "empty": [:], "full": ["/a": [], "/b": [Structure(-3, [Variant(.boolean(true))])]],
    ]
    let answer = try await client.call(Echo.deep, deep)
    #expect(answer["empty"]?.isEmpty == true)
    #expect(answer["full"]?["/a"]?.isEmpty == true)
    #expect(answer["full"]?["/b"]?.first?.members.0 == -3)
    #expect(answer["full"]?["/b"]?.first?.members.1 == [Variant(.boolean(true))])
  }

  @Test("A file descriptor arrives as a duplicate of the same file")
  func descriptors() async throws {
    let file = FileDescriptor(adopting: open("/proc/self/exe", O_RDONLY | O_CLOEXEC))
    let answer = try await client.call(Echo.descriptor, file)
    #expect(answer.number != file.number)
    #expect(inode(of: answer) == inode(of: file))
    #expect(fcntl(answer.number, F_GETFD) & FD_CLOEXEC != 0)
    let several = try await client.call(Echo.descriptors, [file, answer, file])
    #expect(several.map(inode) == [inode(of: file), inode(of: file), inode(of: file)])
    #expect(try await client.call(Echo.descriptors, []).isEmpty)
  }

  private func inode(of file: FileDescriptor) -> UInt64 {
    var facts = stat()
    return fstat(file.number, &facts) == 0 ? UInt64(facts.st_ino) : 0
  }
}
