import DragModel
import Testing

@Suite("Identity")
struct IdentityTests {
  let caller = Caller(uniqueName: ":1.42", confinement: .unsandboxed)

  @Test("An empty argument and the caller's unique name mean the caller's connection")
  func uniqueName() throws {
    #expect(try Application.parse("", caller: caller) == .uniqueName(":1.42"))
    #expect(try Application.parse(":1.42", caller: caller) == .uniqueName(":1.42"))
  }

  @Test(
    "The unique name of another connection is refused",
    arguments: [":1.4", ":", ":1.42 "])
  func another(argument: String) {
    #expect(throws: ApplicationError.notYours(argument)) {
      try Application.parse(argument, caller: caller)
    }
  }

  @Test(
    "Labels of letters, digits, _ and -, joined by single dots, are an application id",
    arguments: [
      "notes", "org.gnome.Notes", "7-zip", "_._", "a.1.-", String(repeating: "x", count: 255),
    ])
  func id(text: String) throws {
    let application = try Application.parse(text, caller: caller)
    #expect(application == .id(try ApplicationID(text)))
    #expect(application.description == text)
  }

  @Test(
    "Any other text is malformed",
    arguments: [
      ".", ".notes", "notes.", "org..gnome", "my notes", "org.gnöme", "a/b", "a:1", " ", "\0",
      "a\n",
      String(repeating: "x", count: 256),
    ])
  func malformed(text: String) {
    #expect(throws: ApplicationError.malformed(text)) {
      try Application.parse(text, caller: caller)
    }
  }

  @Test("An unsandboxed connection counts as every id, and as no other connection")
  func unsandboxed() throws {
    #expect(caller.counts(as: try .named("org.gnome.Notes")))
    #expect(caller.counts(as: .uniqueName(":1.42")))
    #expect(!caller.counts(as: .uniqueName(":1.43")))
  }

  @Test("A sandboxed connection counts only as its sandbox's id and as itself")
  func sandboxed() throws {
    let caller = Caller(
      uniqueName: ":1.42", confinement: .sandboxed(try ApplicationID("org.gnome.Notes")))
    #expect(try Application.parse("org.gnome.Notes", caller: caller) == .named("org.gnome.Notes"))
    #expect(try Application.parse("", caller: caller) == .uniqueName(":1.42"))
    #expect(throws: ApplicationError.notYours("org.gnome.Maps")) {
      try Application.parse("org.gnome.Maps", caller: caller)
    }
    #expect(!caller.counts(as: .uniqueName(":1.43")))
  }

  @Test("An unidentified connection counts only as itself")
  func unverified() throws {
    let caller = Caller(uniqueName: ":1.42", confinement: .unverified)
    #expect(try Application.parse("", caller: caller) == .uniqueName(":1.42"))
    #expect(throws: ApplicationError.notYours("org.gnome.Maps")) {
      try Application.parse("org.gnome.Maps", caller: caller)
    }
  }

  @Test("Messages name the argument")
  func messages() {
    for error in [ApplicationError.malformed("a b"), .notYours(":1.1")] {
      #expect(error.description.hasPrefix("application: \""))
    }
  }
}
