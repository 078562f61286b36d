import DBus
import Files
import Testing

@Suite("Names, paths and signatures")
struct VocabularyTests {
  @Test(
    "Object paths are slashes and elements of letters, digits and underscores",
    arguments: ["/", "/a", "/org/example/Echo_1", "/1", "/_"],
    ["", "a", "/a/", "//", "/a//b", "/a-b", "/a.b", "/ä", "/a\0", "/a\0/", "\0"])
  func objectPaths(valid: String, invalid: String) {
    expect(ObjectPath.self, valid, not: invalid)
  }

  @Test(
    "Bus names are unique, or of two elements or more",
    arguments: ["org.example.App", "a.b", "org.example-app.x_1", ":1.42", ":1.a.2"],
    ["", "org", ".org.a", "org..a", "org.a.", "org.1st", "a.b/c", "ä.b", ":..", "org.a\0"])
  func busNames(valid: String, invalid: String) {
    expect(BusName.self, valid, not: invalid)
  }

  @Test(
    "Interface names have two elements or more, without hyphens",
    arguments: ["org.freedesktop.DBus.Peer", "a.b", "_a._1"],
    ["", "Peer", "org.1st", "org.a-b", "org..a", ":1.2", "a.b\0c"])
  func interfaceNames(valid: String, invalid: String) {
    expect(InterfaceName.self, valid, not: invalid)
    expect(ErrorName.self, valid, not: invalid)
  }

  @Test(
    "Member names are one element",
    arguments: ["GetRows", "a", "_1"], ["", "Get.Rows", "1st", "Get-Rows", "Gét", "Get\0"])
  func memberNames(valid: String, invalid: String) {
    expect(MemberName.self, valid, not: invalid)
  }

  @Test(
    "Signatures are complete types one after the other",
    arguments: ["", "s", "a(ssasa{sv})", "aai", "a{ov}", "(((i)))", "ybnqiuxtdsogvh"],
    ["a", "(", "()", "{sv}", "a{vs}", "a{s}", "a{sss}", "z", "i)", "s\0"])
  func signatures(valid: String, invalid: String) {
    expect(Signature.self, valid, not: invalid)
  }

  @Test(
    "A name is at most 255 bytes long, a signature nests at most 32 arrays, and a path has no limit"
  )
  func lengths() {
    let label = String(repeating: "a", count: 253)
    expect(BusName.self, "b." + label, not: "bb." + label)
    expect(InterfaceName.self, "b." + label, not: "bb." + label)
    expect(MemberName.self, label + "bb", not: label + "bbb")
    expect(
      Signature.self, String(repeating: "i", count: 255), not: String(repeating: "i", count: 256))
    let arrays = String(repeating: "a", count: 32)
    expect(Signature.self, arrays + "i", not: arrays + "ai")
    #expect(ObjectPath.isValid("/" + String(repeating: "a", count: 10_000)))
  }

  @Test("The error has the text and the expected format")
  func refusal() {
    let text = "a-b"
    let refusal = #expect(throws: InvalidName.self) { try ObjectPath(text) }
    #expect(refusal?.description == "'a-b' is not a valid object path")
  }

  @Test("Unique names differ from well-known names")
  func unique() {
    #expect((":1.42" as BusName).isUnique)
    #expect(!("org.example.App" as BusName).isUnique)
  }

  @Test("The signatures of Swift types are those of the specification")
  func signaturesOfTypes() {
    #expect([UInt8].signature == "ay")
    #expect([String: Variant].signature == "a{sv}")
    #expect(Structure<Int64, [ObjectPath: Bool], FileDescriptor>.signature == "(xa{ob}h)")
    typealias Nothing = Arguments<>
    #expect(Nothing.signature == "")
    #expect(Arguments<Int16, UInt16, Double, Signature>.signature == "nqdg")
  }

  private func expect<Name: BusVocabulary>(
    _ type: Name.Type, _ valid: String, not invalid: String,
    location: SourceLocation = #_sourceLocation
  ) {
    #expect(Name.isValid(valid), "\(Name.kind)", sourceLocation: location)
    #expect((try? Name(valid))?.text == valid, sourceLocation: location)
    #expect(!Name.isValid(invalid), "\(Name.kind) '\(invalid)'", sourceLocation: location)
    #expect(throws: InvalidName.self, sourceLocation: location) { try Name(invalid) }
  }
}
