import ClipboardModel
import Testing

@Suite struct ExclusionTests {
  @Test(
    "An application matches a pattern",
    arguments: [
      ("firefox", "Firefox", true), ("fire*", "firefox-esr", true), ("*fox*", "firefox-esr", true),
      ("*-esr", "firefox-esr", true), ("*", "x", true), ("f*f*x", "firefox", true),
      ("fire", "firefox", false), ("*fox", "firefox-esr", false), ("", "x", false),
      ("f*x*y", "firefox", false),
    ])
  func anApplicationMatchesAPattern(_ pattern: String, _ name: String, _ matches: Bool) {
    let exclusions = Exclusions(applications: [pattern])
    #expect(exclusions.match(ProgramNames(process: name), types: ["text/html"]) == matches)
  }

  @Test("An unknown application matches no pattern") func anUnknownApplicationMatchesNoPattern() {
    #expect(!Exclusions(applications: ["*"]).match(ProgramNames(), types: []))
  }

  @Test(
    "An application on Wayland matches by its id or the last part of its id",
    arguments: [
      ("keepassxc", "org.keepassxc.KeePassXC", true),
      ("org.keepassxc.*", "org.keepassxc.KeePassXC", true), ("firefox", "firefox", true),
      ("keepassxc", "org.keepassxc.KeePassXC.desktop", true),
      ("org", "org.keepassxc.KeePassXC", false), ("desktop", "a.b.desktop", false),
      ("*", "", false),
    ])
  func anApplicationOnWaylandMatchesByItsID(_ pattern: String, _ id: String, _ matches: Bool) {
    let exclusions = Exclusions(applications: [pattern])
    let other = FocusedWindow(id: "1", application: "other")
    let window = FocusedWindow(id: "2", application: id)
    #expect(exclusions.match([other, window]) == matches || pattern == "*")
    #expect(exclusions.match([window]) == matches)
    #expect(!exclusions.match([]))
  }

  @Test("One offered type is enough") func oneOfferedTypeIsEnough() {
    let exclusions = Exclusions(types: ["image/*"])
    #expect(exclusions.match(ProgramNames(), types: ["text/html", "image/png"]))
    #expect(!exclusions.match(ProgramNames(), types: ["text/html"]))
  }

  @Test("A long pattern does not take exponential time")
  func aLongPatternDoesNotTakeExponentialTime() {
    let exclusions = Exclusions(types: [String(repeating: "*a", count: 100) + "*b"])
    #expect(!exclusions.match(ProgramNames(), types: [String(repeating: "a", count: 200)]))
  }
}
