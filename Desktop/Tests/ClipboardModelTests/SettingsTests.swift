import ClipboardModel
import Testing

@Suite struct SettingsTests {
  @Test func settingsAreReadAsTheyWereWritten() {
    let exclusions = Exclusions(applications: ["keepass*", "a b"], types: ["image/*"])
    let settings = Settings(exclusions: exclusions, pausesWhileLocked: true)
    let (read, invalidLines) = Settings.read(settings.lines.joined(separator: "\n"))
    #expect(read == settings)
    #expect(invalidLines.isEmpty)
  }

  @Test(arguments: ["\n", "\r\n"]) func invalidLinesAreNamed(_ end: String) {
    let lines = [
      "# mine", "", "application x", "types y", "type", "type z", "pause-while-locked now",
    ]
    let (settings, invalidLines) = Settings.read(lines.joined(separator: end))
    #expect(settings == Settings(exclusions: Exclusions(applications: ["x"], types: ["z"])))
    #expect(invalidLines == [4, 5, 7])
  }
}
