import ClipboardModel
import Testing

@Suite struct SettingsTests {
  @Test("Settings are read as they were written") func settingsAreReadAsTheyWereWritten() {
    let exclusions = Exclusions(applications: ["keepass*", "a b"], types: ["image/*"])
    let settings = ClipboardSettings(exclusions: exclusions, pausesWhileLocked: true)
    let (read, invalidLines) = ClipboardSettings.read(settings.lines.joined(separator: "\n"))
    #expect(read == settings)
    #expect(invalidLines.isEmpty)
  }

  @Test("Invalid lines are named", arguments: ["\n", "\r\n"]) func invalidLinesAreNamed(
    _ end: String
  ) {
    let lines = [
      "# mine", "", "application x", "types y", "type", "type z", "pause-while-locked now",
    ]
    let (settings, invalidLines) = ClipboardSettings.read(lines.joined(separator: end))
    #expect(
      settings == ClipboardSettings(exclusions: Exclusions(applications: ["x"], types: ["z"])))
    #expect(invalidLines == [4, 5, 7])
  }
}
