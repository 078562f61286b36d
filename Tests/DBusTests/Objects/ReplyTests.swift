import DBus
import TestSupport
import Testing

@Suite("Replies that come later")
struct ReplyTests {
  let bus: EchoBus
  let client: Client
  let waiter: Waiter

  init() async throws {
    bus = try EchoBus()
    client = try bus.client()
    waiter = await bus.service.run { service in
      let waiter = Waiter(service.server)
      service.server.export(Waiter.path, [ObjectInterface(Waiter.table(), of: waiter)])
      return waiter
    }
  }

  // MARK: Only one answer is sent

  @Test("Other calls are served while a call waits, and replies may have any order")
  func laterThanOthers() async throws {
    for text in ["a", "b", "c"] { await ask(text) }
    #expect(try await client.call(Echo.byte, 1) == 1)
    await handled(3)
    #expect(await client.log.isEmpty)
    for (text, answer) in [("c", "1"), ("a", "2"), ("b", "3")] {
      await bus.service.run { [waiter] _ in waiter.replies[text]?.send(answer) }
    }
    #expect(await client.logged(3) == ["Ask c: 1", "Ask a: 2", "Ask b: 3"])
  }

  @Test("A call that waits may be refused later, with any error")
  func refusedLater() async throws {
    await ask("a")
    await handled(1)
    let error = DBusError("org.example.Error.Late", "it's late")
    await bus.service.run { [waiter] _ in waiter.replies["a"]?.refuse(error) }
    #expect(await client.logged(1) == ["Ask a: org.example.Error.Late it's late"])
  }

  @Test(
    "Of several answers during the call, only the first is sent",
    arguments: [
      ("send send", "sent 0"), ("send refuse", "sent 0"), ("refuse send", "refused 0"),
      ("refuse refuse", "refused 0"), ("send throw", "sent 0"), ("refuse throw", "refused 0"),
      ("throw", "refused 0"),
    ])
  func severalAnswers(ways: String, answer: String) async throws {
    do {
      #expect(try await callWaiter(Waiter.repeating, ways) == answer)
    } catch { #expect(error == DBusError(.ioError, answer)) }
    #expect(try await client.call(Echo.byte, 1) == 1)
  }

  @Test("Of several later answers, only the first is sent")
  func severalAnswersLater() async throws {
    await ask("a")
    await handled(1)
    await bus.service.run { [waiter] _ in
      waiter.replies["a"]?.send("first")
      waiter.replies["a"]?.send("second")
      waiter.replies["a"]?.refuse(DBusError(.ioError, "third"))
      waiter.forgetAll()
    }
    #expect(try await client.call(Echo.byte, 1) == 1)
    #expect(await client.log == ["Ask a: first"])
  }

  @Test("A thrown error refuses the call, although the reply is stored; a later answer is ignored")
  func thrown() async throws {
    let refusal = await #expect(throws: DBusError.self) {
      try await callWaiter(Waiter.throwing, "a")
    }
    #expect(refusal == DBusError(.invalidArgs, "a"))
    await bus.service.run { [waiter] _ in waiter.replies["a"]?.send("late") }
    #expect(try await client.call(Echo.byte, 1) == 1)
  }

  @Test("A call whose reply is released without an answer gets an error")
  func dropped() async throws {
    let words = DBusError(.failed, "call: the service has dropped it without a reply")
    let refusal = await #expect(throws: DBusError.self) {
      try await callWaiter(Waiter.forget, "a")
    }
    #expect(refusal == words)
    await ask("b")
    await handled(2)
    #expect(await client.log.isEmpty)
    await bus.service.run { [waiter] _ in waiter.forgetAll() }
    #expect(await client.logged(1) == ["Ask b: \(words.name) \(words.message)"])
  }

  @Test("Arguments of other types are refused before the call waits")
  func illTyped() async throws {
    let call = OutgoingMessage.call("Ask", of: Waiter.interface, at: Waiter.path, to: Echo.busName)
    call.append(UInt32(1))
    #expect(
      await client.refusal(of: call)
        == DBusError(.invalidArgs, "Ask: the arguments are of type 'u' (expected text: s)"))
    let calls = await bus.service.run { [waiter] _ in waiter.calls }
    #expect(calls == 0)
  }

  // MARK: Callers that do not wait

  @Test("A call that expects no reply is handled, and its answer is not sent")
  func noReplyWanted() async throws {
    for (member, text) in [
      ("Ask", "a"), ("Throw", "b"), ("Forget", "c"), ("Repeat", "send"), ("Repeat", "refuse"),
    ] as [(MemberName, String)] {
      let call = OutgoingMessage.call(
        member, of: Waiter.interface, at: Waiter.path, to: Echo.busName)
      call.append(text)
      call.expectNoReply()
      // If an answer arrives, the decoding fails; if none arrives, the call is forgotten.
      await client.run { client in
        client.connection.send(call, timeout: nil) { [weak client] _ in
          client?.assumeIsolated { $0.note("answered") }
        }
      }
    }
    await handled(5)
    await bus.service.run { [waiter] _ in
      waiter.replies["a"]?.send("late")
      waiter.forgetAll()
    }
    #expect(try await client.call(Echo.byte, 1) == 1)
    #expect(await client.log.isEmpty)
  }

  @Test(
    "A reply to a client that has left is dropped, and a removed object still answers its calls")
  func gone() async throws {
    let leaver = try bus.client()
    await ask("a", as: leaver)
    await ask("b")
    await handled(2)
    await leaver.run { $0.connection.close() }
    await bus.service.run { [waiter] service in
      service.server.withdraw(Waiter.path)
      waiter.replies["a"]?.send("1")
      waiter.replies["b"]?.send("2")
    }
    #expect(await client.logged(1) == ["Ask b: 2"])
    #expect(try await client.call(Echo.byte, 1) == 1)
  }

  @Test("A reply after the bus has died is dropped, and the caller learns of the lost connection")
  func busDies() async throws {
    await ask("a")
    await handled(1)
    bus.bus.stop()
    let outcomes = await client.logged(1)
    #expect(outcomes.count == 1)
    #expect(outcomes[0].hasPrefix("Ask a: \(ErrorName.disconnected) "))
    let backlog = await bus.service.run { [waiter] service in
      waiter.replies["a"]?.send("1")
      waiter.forgetAll()
      return service.connection.backlog
    }
    #expect(backlog == 0)
    #expect(await client.log == outcomes)
  }

  // MARK: Signals and values of a reply

  @Test("PropertiesChanged precedes the reply, whether the reply is immediate or deferred")
  func propertiesFirst() async throws {
    await followLevel()
    await client.run { client in
      let path = Waiter.path
      client.connection.call(Waiter.change, at: path, of: Echo.busName, 7) { [weak client] _ in
        client?.assumeIsolated { $0.note("changed") }
      }
    }
    #expect(await client.logged(2) == ["Level 7", "changed"])
    await ask("a")
    await handled(1)
    await bus.service.run { [waiter] _ in
      waiter.setLevel(8)
      waiter.replies["a"]?.send("1")
      waiter.setLevel(9)
    }
    #expect(await client.logged(5)[2...] == ["Level 8", "Ask a: 1", "Level 9"])
  }

  @Test("Several values are one reply")
  func severalValues() async throws {
    let call = OutgoingMessage.call(
      "Change", of: Waiter.interface, at: Waiter.path, to: Echo.busName)
    call.append(UInt32(5))
    let reply = try await client.send(call).get()
    let (before, after) = try reply.arguments(as: UInt32.self, UInt32.self)
    #expect(before == 0 && after == 5)
  }

  @Test("A reply too large for the bus becomes LimitsExceeded; the largest possible reply arrives")
  func tooLarge() async throws {
    for (size, outcome) in [
      ((64 << 20) + 1, "\(ErrorName.limitsExceeded)"), (64 << 20, "\(64 << 20) bytes"),
    ] {
      await fetch()
      await bus.service.run { [waiter] _ in
        waiter.fetching.last?.send([UInt8](repeating: 1, count: size))
      }
      #expect(await client.logged(size > 64 << 20 ? 1 : 2).last == outcome)
    }
    #expect(try await client.call(Echo.byte, 1) == 1)
  }
}

// MARK: - Calls

extension ReplyTests {
  private func callWaiter(
    _ method: Waiter.Asking, _ text: String
  ) async throws(DBusError) -> String {
    try await client.call(method, at: Waiter.path, text)
  }

  /// Calls Ask without waiting, and logs the outcome.
  private func ask(_ text: String, as client: Client? = nil) async {
    await (client ?? self.client).run { client in
      let path = Waiter.path
      client.connection.call(Waiter.ask, at: path, of: Echo.busName, timeout: nil, text) {
        [weak client] result in
        let outcome =
          switch result {
          case .success(let answer): answer
          case .failure(let error): "\(error.name) \(error.message)"
          }
        client?.assumeIsolated { $0.note("Ask \(text): \(outcome)") }
      }
    }
  }

  /// Calls Fetch and waits until the service has the call; later logs the number of bytes.
  private func fetch() async {
    let count = await bus.service.run { [waiter] _ in waiter.calls }
    await client.run { client in
      client.connection.call(Waiter.fetch, at: Waiter.path, of: Echo.busName, timeout: nil) {
        [weak client] result in
        let outcome =
          switch result {
          case .success(let bytes): "\(bytes.count) bytes"
          case .failure(let error): "\(error.name)"
          }
        client?.assumeIsolated { $0.note(outcome) }
      }
    }
    await handled(count + 1)
  }

  /// Waits until the service has handled `count` calls of the waiter.
  private func handled(_ count: Int) async {
    let deadline = ContinuousClock.now + .seconds(60)
    while await bus.service.run({ [waiter] _ in waiter.calls }) < count {
      guard ContinuousClock.now < deadline else {
        Issue.record("the service has not handled \(count) calls")
        return
      }
    }
  }

  private func followLevel() async {
    await client.run { client in
      client.follow(MatchRule(sender: Echo.busName, member: "PropertiesChanged")) { signal in
        let content = try? signal.arguments(
          as: String.self, [String: Variant].self, [String].self)
        guard case .uint32(let level)? = content?.1["Level"]?.value else { return "ill-typed" }
        return "Level \(level)"
      }
    }
  }
}
