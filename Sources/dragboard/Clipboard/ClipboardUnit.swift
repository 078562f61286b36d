import ArgumentParser
import DragboardClient
import Files

struct ClipboardEnable: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enable", abstract: "Start the bridge, now and with every session.",
    discussion: """
      Enable dragboard-clipboard.service of the user's systemd. Without systemd, add dragboard-clipboard to the desktop's \
      autostart programs.
      """)

  func run() throws { try ClipboardUnit.systemctl("enable") }
}

struct ClipboardDisable: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disable", abstract: "Stop the bridge, now and for later sessions.",
    discussion: "The stored copies stay; 'dragboard clipboard clear' deletes them.")

  func run() throws { try ClipboardUnit.systemctl("disable") }
}

/// The systemd unit of the bridge.
enum ClipboardUnit {
  static let program = "dragboard-clipboard"
  private static let name = "dragboard-clipboard.service"
  private static let withoutSystemd = "To run the bridge without systemd: dragboard-clipboard"

  /// Whether the bridge starts with every session; nil without systemd.
  static var isEnabled: Bool? {
    guard let systemctl = Program.onPath("systemctl"),
      let result = try? Subprocess.output(of: systemctl, ["--user", "is-enabled", name])
    else { return nil }
    return Subprocess.lastLine(of: result.output) == "enabled"
  }

  /// Enables and starts the unit, or disables and stops it.
  ///
  /// - Throws: `CommandError` with the message of systemctl.
  static func systemctl(_ action: String) throws(CommandError) {
    guard let systemctl = Program.onPath("systemctl") else {
      throw CommandError(
        .notFound, "systemctl is not installed",
        remedy: withoutSystemd)
    }
    let result: (status: Int32, output: [UInt8])
    do throws(Failure) {
      result = try Subprocess.output(of: systemctl, ["--user", action, "--now", name])
    } catch { throw CommandError(.failure, error.description) }
    guard result.status != 0 else { return }
    throw error(String(decoding: result.output, as: UTF8.self))
  }

  private static func error(_ output: String) -> CommandError {
    let message = output.split(separator: "\n").first.map(String.init) ?? "no message"
    let isMissing = ["does not exist", "not found", "not loaded"].contains { message.contains($0) }
    if isMissing {
      return CommandError(
        .notFound, "\(name) is not installed (systemctl: \(message))",
        remedy: "To build and install the desktop programs: packaging/install --help")
    }
    let remedy =
      if message.contains("dependency") {
        "The desktop does not start graphical-session.target. "
          + "Add dragboard-clipboard to its autostart programs."
      } else if message.contains("connect to") {
        withoutSystemd
      } else {
        "To read the log of the bridge: journalctl --user --unit \(name)"
      }
    return CommandError(.failure, "systemctl: \(message)", remedy: remedy)
  }
}
