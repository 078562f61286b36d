import ShelfModel
import Testing

@Suite struct ShortcutKeyTests {
  @Test(
    "A shortcut is read from its text",
    arguments: [
      ("<Super>v", "<Super>v", "Super+V", "LOGO+v"),
      ("<Shift><Primary>F9", "<Control><Shift>F9", "Ctrl+Shift+F9", "CTRL+SHIFT+F9"),
      ("<mod1>V", "<Alt>v", "Alt+V", "ALT+v"),
    ])
  func aShortcutIsReadFromItsText(
    _ text: String, _ stored: String, _ label: String, _ trigger: String
  ) throws {
    let keys = try #require(ShortcutKeys(text))
    #expect(keys.text == stored)
    #expect(keys.label == label)
    #expect(keys.trigger == trigger)
  }

  @Test(
    "A text that is not a shortcut is refused",
    arguments: [
      "", "v", "<Shift>v", "<Super>", "<Super", "<Hyper>v", "<Super>v; exec x", "<Super>\n",
    ])
  func aTextThatIsNotAShortcutIsRefused(_ text: String) { #expect(ShortcutKeys(text) == nil) }

  @Test("The line that binds a shortcut fits the compositor")
  func theLineThatBindsAShortcutFitsTheCompositor() throws {
    let keys = try #require(ShortcutKeys("<Super><Shift>v"))
    let lines = ShortcutKeys.Compositor.allCases.map {
      keys.line(running: "dragboard-shelf --picker", in: $0)
    }
    #expect(
      lines == [
        "bindsym Shift+Mod4+v exec dragboard-shelf --picker",
        "bind = SHIFT SUPER, v, exec, dragboard-shelf --picker",
        "Shift+Super+v { spawn \"dragboard-shelf\" \"--picker\"; }",
        "<keybind key=\"S-W-v\"><action name=\"Execute\" command=\"dragboard-shelf --picker\"/></keybind>",
      ])
  }
}
