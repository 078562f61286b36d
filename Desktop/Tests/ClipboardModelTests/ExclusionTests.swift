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

  @Test(
    "A private window matches the default exclusions by its title, and no other window does",
    arguments: [
      ("Bank — Mozilla Firefox Private Browsing", true), ("Mozilla Firefox Private Browsing", true),
      ("Bank — Mozilla Firefox Privater Modus", true),
      ("Bank - [InPrivate] - Microsoft\u{200B} Edge", true), ("Bank — Mozilla Firefox", false),
      ("Private Browsing - Wikipedia — Mozilla Firefox", false),
      ("Mozilla Firefox Private Browsing - Google Chrome", false), ("", false),
    ])
  func aPrivateWindowMatchesByItsTitle(_ title: String, _ matches: Bool) {
    let window = FocusedWindow(id: "1", application: "browser", title: title)
    #expect(Exclusions.byDefault.match([window]) == matches)
  }

  @Test(
    "A password manager matches the default exclusions by its id, and no other application does",
    arguments: [
      ("org.keepassxc.KeePassXC", true), ("com.bitwarden.desktop", true), ("Bitwarden", true),
      ("1Password", true), ("com.onepassword.OnePassword", true), ("org.gnome.World.Secrets", true),
      ("org.gnome.seahorse.Application", true), ("org.kde.kwalletmanager5", true),
      ("org.kde.kwalletmanager", true), ("Enpass", true), ("org.ijhack.QtPass", true),
      ("Proton Pass", true), ("firefox", false), ("org.gnome.TextEditor", false),
      ("org.kde.konsole", false), ("foot", false), ("secrets", false), ("desktop", false),
      ("com.example.desktop", false), ("org.gnome.Nautilus", false),
    ])
  func aPasswordManagerMatchesByItsID(_ id: String, _ matches: Bool) {
    #expect(Exclusions.byDefault.match([FocusedWindow(id: "1", application: id)]) == matches)
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
