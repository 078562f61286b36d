import DBus
import TestSupport
import Testing

@Suite("Calls")
struct CallTests {
  let bus: EchoBus
  let client: Client

  init() throws {
    bus = try EchoBus()
    client = try bus.client()
  }

  /// Returns a connection whose loop does not run, so that it never answers.
  private func silentPeer() throws -> (connection: Connection, name: BusName) {
    let connection = try Connection(to: bus.bus.address, on: EventLoop())
    return (connection, try BusName(connection.uniqueName))
  }

  @Test("A call without a reply within its timeout fails with NoReply; a late reply is dropped")
  func timeout() async throws {
    let peer = try silentPeer()
    let refusal = await #expect(throws: DBusError.self) {
      try await client.call(Echo.nothing, of: peer.name, timeout: .milliseconds(5))
    }
    #expect(refusal?.name == .noReply)
    peer.connection.loop.schedule(after: .zero) { peer.connection.loop.stop() }
    peer.connection.loop.run()
    #expect(try await client.call(Echo.byte, 1) == 1)
  }

  @Test("A call without a timeout waits until its receiver leaves")
  func receiverLeaves() async throws {
    let peer = try silentPeer()
    async let refusal = #expect(throws: DBusError.self) {
      try await client.call(Echo.nothing, of: peer.name, timeout: nil)
    }
    try await client.call(Echo.nothing)
    peer.connection.close()
    #expect(await refusal?.name == .noReply)
  }

  @Test("A call to a name without an owner fails with ServiceUnknown")
  func nobody() async throws {
    let refusal = await #expect(throws: DBusError.self) {
      try await client.call(Echo.nothing, of: "org.example.Nobody")
    }
    #expect(refusal?.name == .serviceUnknown)
  }

  @Test("Cancelling a task cancels its call, sent or not")
  func cancellation() async throws {
    let peer = try silentPeer()
    let waiting = Task {
      try await client.call(Echo.nothing, of: peer.name, timeout: nil)
    }
    // The earlier call is sent by now, or is cancelled before it is sent; both have the same
    // outcome.
    try await client.call(Echo.nothing)
    waiting.cancel()
    let refusal = await #expect(throws: DBusError.self) { try await waiting.value }
    #expect(refusal?.name == .cancelled)
    let cancelledBefore = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await client.call(Echo.nothing)
    }
    let second = await #expect(throws: DBusError.self) { try await cancelledBefore.value }
    #expect(second?.name == .cancelled)
    #expect(try await client.call(Echo.byte, 1) == 1)
  }

  @Test("Cancelling at random moments leaves each call with exactly one outcome")
  func randomCancellation() async throws {
    let client = client
    for round in 0..<300 {
      let task = Task { try await client.call(Echo.byte, UInt8(round % 256)) }
      for _ in 0..<(round % 7) { await Task.yield() }
      task.cancel()
      switch await task.result {
      case .success(let byte): #expect(byte == UInt8(round % 256))
      case .failure(let error): #expect((error as? DBusError)?.name == .cancelled)
      }
    }
  }

  @Test("A cancelled call gets no answer")
  func forgotten() async throws {
    await client.run { client in
      let call = client.connection.call(Echo.nothing, at: Echo.path, of: Echo.busName) { _ in
        Issue.record("answered")
      }
      client.connection.cancel(call)
      client.connection.cancel(call)
    }
    #expect(try await client.call(Echo.countCalls) == 1)
  }

  @Test("A reply with types other than declared becomes InvalidArgs")
  func otherTypes() async throws {
    let asText = MethodDeclaration<Arguments<UInt8>, Arguments<String>>(
      Echo.interface, "Byte", in: "value", out: "value")
    let refusal = await #expect(throws: DBusError.self) { try await client.call(asText, 1) }
    #expect(refusal?.name == .invalidArgs)
  }

  @Test("Calls from several tasks at once each get their own reply")
  func concurrently() async throws {
    let client = client
    let answers = try await withThrowingTaskGroup(of: (Int64, Int64).self) { group in
      for number in 0..<200 as Range<Int64> {
        group.addTask { (number, try await client.call(Echo.int64, number)) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.count == 200)
    #expect(answers.allSatisfy { $0.0 == $0.1 })
  }

  @Test("Calls that have arrived are answered if every iteration ends after one message")
  func shortIterations() async throws {
    await bus.service.run { service in
      let connection = service.connection
      connection.willHandleMessage = { [unowned connection] in connection.endIteration() }
    }
    await client.run { client in
      for _ in 0..<1_000 { client.connection.send(Echo.message("Nothing")) }
    }
    #expect(try await client.call(Echo.byte, 1) == 1)
    #expect(await bus.service.run { $0.calls } == 1_000)
  }
}
