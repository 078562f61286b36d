import DBus
import DragModel
import Testing

@testable import DragboardService

@Suite("What is kept of clients in memory", .timeLimit(.minutes(20)))
struct ClientMemoryTests {
  private let local: LocalService

  init() throws { local = try LocalService() }

  private func client(_ number: Int) -> Client {
    let caller = Caller(uniqueName: ":1.\(number)", confinement: .unsandboxed)
    return Client(BoardAccess(of: caller, opensContents: true), replacing: nil)
  }

  /// Notes answers that the client does not read, of so many MiB less a little.
  private func answer(_ client: Client, mebibytes: Int) {
    let answer = MessageSize(byteCount: 1 << 20 - 64, descriptorCount: 0)
    for _ in 0..<mebibytes { local.service.readWatch.note(answer, to: client) }
  }

  @Test("A call is refused, until 512 MiB of answers and refusals lie unread; then it is dropped")
  func refusals() throws {
    let (client, call, most) = (client(1), try local.receivedCall(), 512 << 20)
    answer(client, mebibytes: 512)
    // As many as may wait for that.
    for _ in 0..<1_024 { try local.service.readWatch.putOff(call, of: client) }

    let rest = most - client.unread.byteCount
    try #require(0 < rest && rest <= 512 << 10)
    for _ in 0..<(rest + 511) / 512 {
      let error = #expect(throws: DBusError.self) {
        try local.service.readWatch.putOff(call, of: client)
      }
      #expect(error?.name == .limitsExceeded)
    }
    for _ in 0..<3 { try local.service.readWatch.putOff(call, of: client) }
    #expect(client.unread.byteCount < most + 512)
  }

  /// Adds clients until as many have called since that one that it may be forgotten.
  private func addOthers() {
    for number in 2..<5_000 { local.service.callers.remember(client(number)) }
  }

  @Test("A client is forgotten when more than 4,096 others have called since")
  func forgotten() {
    weak var latest: Client?
    do {
      let client = client(1)
      local.service.callers.remember(client)
      latest = client
    }
    for number in 2..<2_048 { local.service.callers.remember(client(number)) }
    #expect(latest != nil)
    addOthers()
    #expect(latest == nil)
  }

  @Test("One whose calls wait is not, until they do not")
  func kept() throws {
    weak var latest: Client?
    do {
      let client = client(1)
      local.service.callers.remember(client)
      answer(client, mebibytes: 65)
      try local.service.readWatch.putOff(try local.receivedCall(), of: client)
      latest = client
    }
    addOthers()
    #expect(latest != nil)
    #expect(local.service.callers.hasTooMuchToRead(":1.1"))
    // The bus knows nobody of that name.
    local.loop.run { !(latest?.hasWaitingCalls ?? false) }
    addOthers()
    #expect(latest == nil)
  }
}
