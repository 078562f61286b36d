import DBus
import Testing

@Suite("Match rules")
struct MatchRuleTests {
  @Test("A rule contains the given keys with quoted values, and nothing else")
  func descriptions() {
    #expect(MatchRule().description == "type='signal'")
    let full = MatchRule(
      sender: "org.example.Echo", path: "/a", interface: "org.example.Echo", member: "Said",
      firstArgument: "x")
    #expect(
      full.description
        == "type='signal',sender='org.example.Echo',path='/a',interface='org.example.Echo',"
        + "member='Said',arg0='x'")
    #expect(MatchRule(pathNamespace: "/").description == "type='signal',path_namespace='/'")
  }

  @Test(
    "Within quotes, every character except the apostrophe is literal",
    arguments: [
      ("it's", #"'it'\''s'"#), ("'", #"''\'''"#), ("", "''"), (#"a\b,c="d""#, #"'a\b,c="d"'"#),
      ("''", #"''\'''\'''"#),
    ])
  func quoting(text: String, quoted: String) {
    #expect(MatchRule(firstArgument: text).description == "type='signal',arg0=" + quoted)
  }

  @Test(
    "The bus matches the first argument, whatever characters it has",
    arguments: ["plain", "it's", "'", #"\'"#, #"a\"#, "a,b='c'", "", " ", "ü\n"])
  func firstArgument(text: String) async throws {
    let bus = try EchoBus()
    let client = try bus.client()
    await client.run { client in
      let rule = MatchRule(sender: Echo.busName, firstArgument: text)
      client.follow(rule) { "\($0.member ?? "")" }
      client.follow(MatchRule(interface: Echo.interface, member: "Said", firstArgument: "end")) {
        _ in "end"
      }
    }
    _ = try await client.call(Echo.say, text + "?", 1)
    _ = try await client.call(Echo.say, text, 1)
    _ = try await client.call(Echo.say, "end", 1)
    #expect(await client.logged(2) == ["Said", "end"])
  }

  @Test("A path namespace matches a path and the paths below it, not paths with the same beginning")
  func pathNamespace() async throws {
    let bus = try EchoBus()
    let client = try bus.client()
    await client.run { client in
      client.follow(MatchRule(pathNamespace: "/a/b")) { "below \($0.path ?? "")" }
      client.follow(MatchRule(interface: "x.y", member: "Ping")) { "any \($0.path ?? "")" }
      client.follow(MatchRule(path: "/a/b/c")) { "at \($0.path ?? "")" }
    }
    // The rules were sent before this call, so the bus has them when it answers.
    try await client.call(Echo.nothing)
    let ping = SignalDeclaration<Arguments<>>("x.y", "Ping")
    await bus.service.run { service in
      for path in ["/a", "/a/bc", "/a/b", "/a/b/c"] {
        service.connection.emit(ping, from: ObjectPath(unchecked: path))
      }
    }
    #expect(
      await client.logged(7) == [
        "any /a", "any /a/bc", "below /a/b", "any /a/b", "below /a/b/c", "any /a/b/c",
        "at /a/b/c",
      ])
  }

  @Test("A signal that matches two rules is handled once by each")
  func twoRules() async throws {
    let bus = try EchoBus()
    let client = try bus.client()
    await client.run { client in
      for number in 1...2 {
        client.follow(MatchRule(sender: Echo.busName, member: "Said")) { _ in "rule \(number)" }
      }
    }
    _ = try await client.call(Echo.say, "x", 2)
    #expect(await client.logged(4) == ["rule 1", "rule 2", "rule 1", "rule 2"])
    try await client.call(Echo.nothing)
    #expect(await client.log.count == 4)
  }
}
