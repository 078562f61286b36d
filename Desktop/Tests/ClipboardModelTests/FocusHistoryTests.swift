import ClipboardModel
import TestSupport
import Testing

/// Tests of the windows that can have made a copy.
struct FocusHistoryTests {
  private static let start = ContinuousClock.now
  private static let manager = FocusedWindow(id: "1", application: "manager")
  private static let editor = FocusedWindow(id: "2", application: "editor", title: "a")

  private func time(_ milliseconds: Int) -> ContinuousClock.Instant {
    Self.start + .milliseconds(milliseconds)
  }

  @Test("A window counts while it has the focus, however long ago it got the focus")
  func aWindowCountsWhileItHasTheFocus() {
    var history = FocusHistory()
    #expect(history.windows(at: time(0)).isEmpty)
    history.focus(Self.manager, at: time(0))
    #expect(history.windows(at: time(3_600_000)) == [Self.manager])
  }

  @Test("A window counts for a second after it has lost the focus")
  func aWindowCountsForASecondAfterItHasLostTheFocus() {
    var history = FocusHistory()
    history.focus(Self.manager, at: time(0))
    history.blur("1", at: time(5_000))
    history.focus(Self.editor, at: time(5_001))
    #expect(history.windows(at: time(5_002)) == [Self.editor, Self.manager])
    #expect(history.windows(at: time(6_000)) == [Self.editor, Self.manager])
    #expect(history.windows(at: time(6_001)) == [Self.editor])
    #expect(history.focused == [Self.editor])
  }

  @Test("A window with a new title or application still counts as it was before")
  func aWindowWithANewTitleStillCountsAsItWasBefore() {
    var history = FocusHistory()
    history.focus(Self.editor, at: time(0))
    let renamed = FocusedWindow(id: "2", application: "editor", title: "b")
    history.focus(renamed, at: time(2_000))
    #expect(history.focused == [renamed])
    #expect(history.windows(at: time(2_500)) == [renamed, Self.editor])
    #expect(history.windows(at: time(3_001)) == [renamed])
  }

  @Test("A report about a window without the focus, and a repeated report, have no effect")
  func aRepeatedReportHasNoEffect() {
    var history = FocusHistory()
    history.blur("1", at: time(0))
    history.focus(Self.manager, at: time(0))
    history.focus(Self.manager, at: time(1))
    #expect(history.windows(at: time(2)) == [Self.manager])
  }

  @Test("A program that changes its title without end does not fill the memory")
  func aProgramThatChangesItsTitleWithoutEndDoesNotFillTheMemory() {
    var history = FocusHistory()
    for count in 0..<5_000 {
      history.focus(FocusedWindow(id: "2", application: "editor", title: "\(count)"), at: time(0))
    }
    #expect(history.windows(at: time(0)).count == 1_025)
    #expect(history.windows(at: time(0)).first?.title == "4999")
  }

  /// The oracle keeps all reports, and reads them from the beginning.
  @Test("Random reports give the windows of the last second", arguments: 0..<200)
  func randomReportsGiveTheWindowsOfTheLastSecond(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var history = FocusHistory()
    var reports: [(time: Int, focused: [FocusedWindow])] = [(0, [])]
    var now = 0
    for _ in 0..<200 {
      now += Int(random.next() % 700)
      var focused = reports[reports.count - 1].focused
      let window = FocusedWindow(
        id: "\(random.next() % 3)", application: "\(random.next() % 3)",
        title: "\(random.next() % 2)")
      switch random.next() % 4 {
      case 0:
        history.blur(window.id, at: time(now))
        focused.removeAll { $0.id == window.id }
      case 1:
        history.blurOthers(than: window.id, at: time(now))
        focused.removeAll { $0.id != window.id }
      default:
        history.focus(window, at: time(now))
        focused.removeAll { $0.id == window.id }
        focused.append(window)
      }
      reports.append((now, focused))
      let check = now + Int(random.next() % 1_500)
      var expected = Set<FocusedWindow>()
      for (index, report) in reports.enumerated() {
        let end = index + 1 < reports.count ? reports[index + 1].time : check
        if end >= check - 1_000 { expected.formUnion(report.focused) }
      }
      let windows = history.windows(at: time(check))
      #expect(Set(windows) == expected)
      #expect(windows.count == expected.count)
      #expect(Array(windows.prefix(focused.count)).map(\.id).sorted() == focused.map(\.id).sorted())
    }
  }
}
