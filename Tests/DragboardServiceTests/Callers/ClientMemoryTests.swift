import DragModel
import TestSupport
import Testing

@testable import DBus
@testable import DragboardService

@Suite("The memory of clients")
struct ClientMemoryTests {
  private let local: LocalService
  private let admission: Admission

  init() throws {
    local = try LocalService()
    admission = local.service.admission
  }

  private func client(_ number: Int, sharing turnHolder: TurnHolder = TurnHolder()) -> ClientQueue {
    let client = ClientQueue(":1.\(number)")
    let caller = Caller(uniqueName: client.name, confinement: .unsandboxed)
    client.setIdentity(
      Identity(Client(BoardAccess(of: caller, opensContents: true))), sharing: turnHolder)
    return client
  }

  /// Counts unread answers of a little less than `mebibytes` MiB for a client.
  private func answer(_ client: ClientQueue, mebibytes: Int) {
    let answer = Cost(bytes: 1 << 20 - 64)
    for _ in 0..<mebibytes { admission.unread.note(answer, to: client) }
  }

  private func wait(_ call: Message, of client: ClientQueue) throws(DBusError) {
    try admission.enqueue(call, of: client, behind: .unread)
  }

  @Test("Calls are refused, and above 512 MiB of unread answers they are dropped")
  func refusals() throws {
    let (client, call, most) = (client(1), try local.receivedCall(), 512 << 20)
    answer(client, mebibytes: 512)
    // Make as many calls as may wait for the answer of the bus.
    for _ in 0..<1_024 { try wait(call, of: client) }

    let rest = most - client.unread.byteCount
    try #require(0 < rest && rest <= 512 << 10)
    for _ in 0..<(rest + 511) / 512 {
      let error = #expect(throws: DBusError.self) { try wait(call, of: client) }
      #expect(error?.name == .limitsExceeded)
    }
    for _ in 0..<3 { try wait(call, of: client) }
    #expect(client.unread.byteCount < most + 512)
  }

  /// Adds enough clients that the table may forget the first client.
  private func addOthers() {
    for number in 2..<5_000 { admission.clients.insert(client(number)) }
  }

  @Test("A client is forgotten when more than 4,096 others have called since")
  func forgotten() {
    weak var latest: ClientQueue?
    do {
      let client = client(1)
      admission.clients.insert(client)
      latest = client
    }
    for number in 2..<2_048 { admission.clients.insert(client(number)) }
    #expect(latest != nil)
    addOthers()
    #expect(latest == nil)
  }

  @Test("A client whose unread answers are measured is not forgotten")
  func measured() throws {
    weak var latest: ClientQueue?
    do {
      let client = client(1)
      admission.clients.insert(client)
      answer(client, mebibytes: 2)
      latest = client
    }
    addOthers()
    #expect(latest != nil)
    // The bus answers that no client has this name.
    local.loop.wait { latest?.unread.byteCount == 0 }
    addOthers()
    #expect(latest == nil)
  }

  @Test("A client is kept during its long call, but other clients of its sandbox are forgotten")
  func longCall() throws {
    let shared = TurnHolder()
    weak var caller: ClientQueue?
    weak var other: ClientQueue?
    do {
      let clients = [client(1, sharing: shared), client(0, sharing: shared)]
      for client in clients { admission.clients.insert(client) }
      (caller, other) = (clients[0], clients[1])
    }
    var hasMore = true
    admission.continueCall(of: ":1.1") { hasMore }
    addOthers()
    #expect(caller != nil)
    #expect(other == nil)
    hasMore = false
    local.loop.wait { shared.parts.isEmpty }
    addOthers()
    #expect(caller == nil)
  }

  @Test("A client whose calls wait is not forgotten until they are answered")
  func kept() throws {
    weak var latest: ClientQueue?
    do {
      let client = client(1)
      admission.clients.insert(client)
      answer(client, mebibytes: 65)
      try wait(try local.receivedCall(), of: client)
      latest = client
    }
    addOthers()
    #expect(latest != nil)
    #expect(!admission.mayAnswer(":1.1", with: 0))
    // The bus answers that no client has this name.
    local.loop.wait { !(latest?.isWaiting ?? false) }
    addOthers()
    #expect(latest == nil)
  }
}
