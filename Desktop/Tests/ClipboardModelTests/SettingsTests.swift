import ClipboardModel
import Testing

@Suite struct SettingsTests {
  @Test("Settings are read as they were written") func settingsAreReadAsTheyWereWritten() {
    let exclusions = Exclusions(
      applications: ["keepass*", "a b"], types: ["image/*"], windows: ["* - Bank"])
    let settings = ClipboardSettings(
      exclusions: exclusions, pausesWhileLocked: true, storesSelections: true)
    let (read, invalidLines) = ClipboardSettings.read(settings.lines.joined(separator: "\n"))
    #expect(read == settings)
    #expect(invalidLines.isEmpty)
  }

  @Test("Invalid lines are named", arguments: ["\n", "\r\n"]) func invalidLinesAreNamed(
    _ end: String
  ) {
    let lines = [
      "# mine", "", "application x", "types y", "type", "type z", "pause-while-locked now",
      "defaults x", "defaults 1",
    ]
    let (settings, invalidLines) = ClipboardSettings.read(lines.joined(separator: end))
    #expect(
      settings == ClipboardSettings(exclusions: Exclusions(applications: ["x"], types: ["z"])))
    #expect(invalidLines == [4, 5, 7, 8])
  }

  @Test("A file of an earlier release gets the default exclusions once")
  func aFileOfAnEarlierReleaseGetsTheDefaultExclusionsOnce() {
    var settings = ClipboardSettings.read("application mine\napplication keepassxc").settings
    #expect(settings.exclusions.applications.prefix(2) == ["mine", "keepassxc"])
    #expect(Set(settings.exclusions.applications) == Set(DefaultExclusions.applications + ["mine"]))
    #expect(settings.exclusions.applications.count == DefaultExclusions.applications.count + 1)
    #expect(settings.exclusions.windows == DefaultExclusions.windows)
    settings.exclusions.applications.removeAll { $0 == "keepassxc" }
    settings.exclusions.windows = []
    #expect(ClipboardSettings.read(settings.lines.joined(separator: "\n")).settings == settings)
  }

  @Test("Without a file, the default exclusions apply")
  func withoutAFileTheDefaultExclusionsApply() {
    #expect(ClipboardSettings().exclusions == .byDefault)
  }
}
