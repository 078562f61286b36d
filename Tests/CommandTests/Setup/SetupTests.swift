import Foundation
import TestSupport
import Testing

@Suite("dragboard setup")
struct SetupTests {
  private let stage: CommandStage

  /// Makes stand-ins for the programs, systemctl and gsettings, whose settings are files.
  init() throws {
    stage = try CommandStage()
    try stage.isolateCommand()
    for (name, script) in [
      ("dragboard-shelf", ""), ("dragboard-clipboard", ""),
      (
        "systemctl",
        """
        case $2 in
          is-enabled) test -e "$D/unit" && echo enabled || echo disabled;;
          enable) touch "$D/unit";;
          disable) rm -f "$D/unit";;
        esac
        echo "$*" >> "$D/calls"
        """
      ),
      (
        "gsettings",
        """
        file="$D/$(echo "$2" | sed 's/.*://' | tr / _).$3"
        case $1 in
          get) cat "$file" 2> /dev/null || echo "@as []";;
          set) echo "$4" > "$file"; echo "$*" >> "$D/calls";;
          reset) rm -f "$file";;
        esac
        """
      ),
    ] {
      let file = stage.folder.appending(path: "bin/\(name)")
      try whileNothingStarts { try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file) }
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }
  }

  // PATH lacks the folder of the products, in which the real shelf may be.
  private let variables = """
    export D=$PWD PATH=$PWD/bin:/usr/bin:/bin HOME=$PWD XDG_CONFIG_HOME=$PWD/config \
    XDG_CONFIG_DIRS=$PWD/all XDG_CURRENT_DESKTOP=ubuntu:GNOME
    """
  private let autostart = "config/autostart/org.dragboard.Shelf.desktop"

  private func setup(_ arguments: String = "") throws -> CommandResult {
    try stage.shell("\(variables); dragboard setup \(arguments)")
  }

  private func settings() throws -> String { try setup("--json").output }

  /// Types lines in a terminal, and returns everything that the command has shown.
  private func answers(_ lines: String...) throws -> String {
    let script = "\(variables); exec dragboard setup"
    let terminal = try stage.terminal(running: "bash", ["-c", script])
    for (question, line) in zip(["clipboard on a board?", "at login?", "Shortcut"], lines) {
      #expect(terminal.shown(until: question) != nil)
      terminal.type(line)
    }
    return terminal.waitForExit().shown
  }

  @Test("Without a terminal, it prints the state and changes nothing")
  func state() throws {
    #expect(try settings() == #"{"clipboard":"off","shelf":"off","shortcut":"none"}"# + "\n")
    let result = try setup()
    #expect(result.status == .exited(0))
    #expect(
      result.output == """
        clipboard   off
        shelf       off
        shortcut    none

        """)
    #expect(try stage.shell("grep -v is-enabled calls; ls config").output == "")
  }

  @Test("Options switch the parts, and undo this")
  func options() throws {
    let on = try setup("--clipboard on --shelf on --shortcut '<Super><Shift>v' --json")
    #expect(on.status == .exited(0), "\(on.errors)")
    #expect(
      on.output == #"{"clipboard":"on","shelf":"on","shortcut":"<Super><Shift>v"}"# + "\n")
    let folder = stage.folder.path
    #expect(
      try stage.shell("grep ^Exec= \(autostart)").output == "Exec=\(folder)/bin/dragboard-shelf\n")
    #expect(
      try stage.shell("cat *.custom-keybindings *.command").output.contains(
        "/custom-keybindings/dragboard-shelf/']\n'\(folder)/bin/dragboard-shelf'\n"))
    let off = try setup("--clipboard off --shelf off --shortcut none --json")
    #expect(off.output == #"{"clipboard":"off","shelf":"off","shortcut":"none"}"# + "\n")
    #expect(try stage.shell("ls config/autostart; cat *.custom-keybindings").output == "@as []\n")
  }

  @Test("The user's other shortcuts stay, and a shelf of all users can be switched off")
  func others() throws {
    _ = try stage.shell("mkdir -p all/autostart && touch all/autostart/org.dragboard.Shelf.desktop")
    _ = try stage.shell(
      "echo \"['/a/', '/b/']\" > org.gnome.settings-daemon.plugins.media-keys.custom-keybindings")
    #expect(try settings().contains(#""shelf":"on""#))
    _ = try setup("--shelf off --shortcut '<Alt>F2'")
    #expect(try settings() == #"{"clipboard":"off","shelf":"off","shortcut":"<Alt>F2"}"# + "\n")
    #expect(try stage.shell("grep -c Hidden=true \(autostart)").output == "1\n")
    _ = try stage.shell("sed -i 's/Hidden=/Hidden = /' \(autostart)")
    #expect(try settings().contains(#""shelf":"off""#))
    _ = try setup("--shortcut none")
    #expect(try stage.shell("cat *.custom-keybindings").output == "['/a/', '/b/']\n")
  }

  @Test("In a terminal it asks; Enter changes nothing, and answers do")
  func questions() throws {
    let unchanged = try answers("\r", "\r", "\r")
    #expect(unchanged.contains("It is none."), "\(unchanged)")
    #expect(try settings() == #"{"clipboard":"off","shelf":"off","shortcut":"none"}"# + "\n")
    _ = try answers("y\r", "maybe\ry\r", "v\r<Super>F1\r")
    #expect(try settings() == #"{"clipboard":"on","shelf":"on","shortcut":"<Super>F1"}"# + "\n")
  }

  @Test("An invalid answer is refused, and nothing changes")
  func invalid() throws {
    for arguments in [
      "--clipboard on --shelf maybe", "--clipboard on --shortcut v", "--shortcut '<Super>v; ls'",
    ] {
      #expect(try setup(arguments).status == .exited(64), "\(arguments)")
    }
    _ = try stage.shell("rm bin/dragboard-shelf")
    let missing = try setup("--clipboard on --shelf on")
    #expect(missing.status == .exited(66))
    #expect(missing.errors.contains("--shelf: dragboard-shelf is not installed"))
    let desktop = try stage.shell(
      "\(variables) XDG_CURRENT_DESKTOP=sway; dragboard setup --clipboard on --shortcut none")
    #expect(desktop.status == .exited(66))
    #expect(desktop.errors.contains("bind keys to the command dragboard-shelf"))
    #expect(try settings() == #"{"clipboard":"off","shelf":"absent","shortcut":"none"}"# + "\n")
  }
}
