import Testing

@testable import DBus

@Suite("Bulk callers and interactive clients", .timeLimit(.minutes(20)))
struct CallCompanyTests {
  private var pacer = Pacer()
  private var iteration = 0

  /// Returns how many of `calls` calls of one iteration are served at once.
  private mutating func countAdmitted(of calls: Int, _ client: ClientQueue) -> Int {
    iteration += 1
    var count = 0
    for _ in 0..<calls {
      pacer.note(client, in: iteration)
      if !pacer.mustWait(client) { count += 1 }
    }
    return count
  }

  @Test(
    "A client that is alone or among other bulk callers never waits")
  mutating func alone() {
    let clients = (0..<3).map { ClientQueue(":1.\($0)") }
    for _ in 0..<3 {
      for client in clients { #expect(countAdmitted(of: 64, client) == 64) }
    }
  }

  @Test("Beside an interactive client, all calls of a bulk caller except the first few wait")
  mutating func company() {
    #expect(countAdmitted(of: 1, ClientQueue(":1.0")) == 1)
    #expect(countAdmitted(of: 64, ClientQueue(":1.1")) == 16)
  }
}
