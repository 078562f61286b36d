import TestSupport
import Testing

@testable import DBus
@testable import DragboardService

@Suite("Throttled reports")
struct ThrottleTests {
  private let local: LocalService
  private let throttle: Throttle

  init() throws {
    local = try LocalService()
    throttle = Throttle(local.service.scheduler)
  }

  @Test("The first of many reports is made at once, and the others become one, 100 ms later")
  func merged() {
    var reports: [(number: Int, time: Duration)] = []
    var latest = 0
    for number in 1...400 {
      local.service.scheduler.step { step in
        latest = number
        throttle.ask(in: step) { [scheduler = local.service.scheduler] _ in
          reports.append((latest, scheduler.uptime))
        }
      }
    }
    #expect(reports.map(\.number) == [1])
    local.loop.wait { reports.count > 1 }
    #expect(reports.map(\.number) == [1, 400])
    #expect(reports[1].time - reports[0].time >= .milliseconds(100))
  }

  @Test("A stopped throttle makes no later report")
  func stopped() {
    var reports = 0
    for _ in 1...2 {
      local.service.scheduler.step { step in throttle.ask(in: step) { _ in reports += 1 } }
    }
    throttle.stop()
    var isLate = false
    local.loop.schedule(after: .milliseconds(200)) { isLate = true }
    local.loop.wait { isLate }
    #expect(reports == 1)
  }
}
