import DragModel
import Testing

/// `.flatpak-info` was split at every character that Unicode calls a newline.
///
/// The value of an environment variable, which an application's manifest sets, could open a second
/// `[Application]` group.
@Suite("Regression: .flatpak-info was split at more than line feeds")
struct FlatpakInfoSplitAnywhere {
  @Test(
    "Only a line feed ends a line",
    arguments: ["\u{2028}", "\u{2029}", "\u{85}", "\u{B}", "\u{C}", "\r", "\u{2028}\r"])
  func separators(separator: String) {
    let forged = ["x", "[Application]", "name=org.victim.App", ""].joined(separator: separator)
    let info = "[Application]\nname=org.evil.App\n\n[Environment]\nX=\(forged)\n"
    #expect(FlatpakInfo.applicationID(in: Array(info.utf8))?.text == "org.evil.App")
  }

  @Test("A combining mark hides no line feed, bracket or equals sign")
  func combiningMarks() {
    let info = "[Application]\nname=org.evil.App\n[Other\u{301}]\n\u{301}name=org.victim.App\n"
    #expect(FlatpakInfo.applicationID(in: Array(info.utf8))?.text == "org.evil.App")
    for broken in ["[\u{301}Application]\n", "[Application]\u{301}\n", "[Application\u{301}]\n"] {
      let info = "\(broken)name=org.victim.App\n"
      #expect(FlatpakInfo.applicationID(in: Array(info.utf8)) == nil, "\(broken)")
    }
  }
}
