import DragboardClient
import ShelfModel
import Testing

@Suite("The words of the preferences") struct PreferenceTests {
  @Test("A board has the kind of content whose types it accepts, in any order")
  func kinds() {
    #expect(AcceptedContent([.any]) == .everything)
    #expect(AcceptedContent(["text/html", "text/plain"]) == .text)
    #expect(AcceptedContent(["image/*"]) == .pictures)
    #expect(AcceptedContent([.uriList]) == .files)
    #expect(AcceptedContent(["text/plain"]) == nil)
    #expect(AcceptedContent([]) == nil)
  }

  @Test("A time has a name, and another time than the choices is one more choice")
  func times() {
    let titles = RetentionTime.choices.map(RetentionTime.title(of:))
    #expect(titles == ["Forever", "1 Day", "1 Week", "30 Days"])
    #expect(RetentionTime.choices(with: .zero) == RetentionTime.choices)
    #expect(RetentionTime.choices(with: .seconds(3600)).last == .seconds(3600))
    for (seconds, title) in [
      (1, "1 Second"), (90, "90 Seconds"), (120, "2 Minutes"), (3600, "1 Hour"),
      (2 * 86_400, "2 Days"), (14 * 86_400, "14 Days"),
    ] {
      #expect(RetentionTime.title(of: .seconds(seconds)) == title)
    }
  }
}
