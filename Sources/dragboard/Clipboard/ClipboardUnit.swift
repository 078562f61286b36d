import ArgumentParser
import DragboardClient

struct ClipboardEnable: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enable", abstract: "Start the bridge, now and with every session.",
    discussion: """
      Enables dragboard-clipboard.service of the user's systemd. Without systemd, let the desktop start \
      dragboard-clipboard.
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
private enum ClipboardUnit {
  private static let name = "dragboard-clipboard.service"

  /// Enables and starts the unit, or disables and stops it.
  ///
  /// - Throws: `CommandError` with the message of systemctl.
  static func systemctl(_ action: String) throws(CommandError) {
    guard let systemctl = Program.onPath("systemctl") else {
      throw CommandError(
        .notFound, "systemctl is not installed",
        remedy: "Run the bridge itself: dragboard-clipboard")
    }
    let result: (status: Int32, output: [UInt8])
    do throws(Failure) {
      result = try Subprocess.output(of: systemctl, ["--user", action, "--now", name])
    } catch { throw CommandError(.failure, error.description) }
    guard result.status != 0 else { return }
    throw error(String(decoding: result.output, as: UTF8.self))
  }

  private static func error(_ output: String) -> CommandError {
    let message = output.split(separator: "\n").first.map(String.init) ?? "no reason"
    let isMissing = ["does not exist", "not found", "not loaded"].contains { message.contains($0) }
    if isMissing {
      return CommandError(
        .notFound, "\(name) is not installed (systemctl: \(message))",
        remedy: "Build the desktop programs, and install them: packaging/install --help")
    }
    let remedy =
      message.contains("dependency")
      ? "The desktop does not start graphical-session.target: let it start dragboard-clipboard."
      : "The log of the bridge: journalctl --user --unit \(name)"
    return CommandError(.failure, "systemctl: \(message)", remedy: remedy)
  }
}
