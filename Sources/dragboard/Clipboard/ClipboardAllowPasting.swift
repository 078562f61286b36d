import ArgumentParser
import DragboardClient
import Files

struct ClipboardAllowPasting: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "allow-pasting",
    abstract: "Let the desktop ask for the permission to paste picked rows.",
    discussion: """
      On KDE Plasma, a program needs your permission to press the keys that paste a picked row. The desktop asks for it by a \
      dialog about remote control, because it has no smaller permission. Dragboard requests only the keyboard, and presses \
      only the keys that paste, after you have picked a row. If you let the desktop remember the permission, it asks once; \
      otherwise after each login. While the permission is in use, the desktop can show an icon. Other desktops need no \
      permission, and the command does nothing.

      EXAMPLES:
        dragboard clipboard allow-pasting
        dragboard clipboard allow-pasting --revoke
      """)

  @Flag(help: "Revoke the permission.")
  var revoke = false
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection) { dragboard in
      let bridge = dragboard.clipboard
      if revoke { return try await bridge.forbidPasting() }
      if try await bridge.info().pastePermission == .missing {
        StandardError.writeLine(
          """
          The desktop now asks whether Dragboard may control the keyboard. Dragboard presses only the keys that \
          paste, after you have picked a row. Let the desktop remember the permission; otherwise it asks after \
          each login.
          """)
      }
      try await bridge.allowPasting()
    }
  }
}
