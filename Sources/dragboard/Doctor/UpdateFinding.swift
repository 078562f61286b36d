import DragboardClient
import Files

/// The examination of running programs that an update has replaced.
enum UpdateFinding {
  /// The programs that have a name on the bus; the daemon and the link report their own versions.
  private static let names = [
    (subject: "clipboard", name: "org.dragboard.Clipboard1"),
    (subject: "shelf", name: "org.dragboard.Shelf"),
  ]

  /// Returns a finding for each running program that is older than the installed one.
  static func examine(_ dragboard: isolated DragboardConnection) async -> [Finding] {
    var findings: [Finding] = []
    for (subject, name) in names {
      guard let process = try? await dragboard.processID(ofConnection: name) else { continue }
      if let finding = examine(subject, process: process) { findings.append(finding) }
    }
    return findings
  }

  /// Returns a finding if another version was installed since a process has started.
  static func examine(_ subject: String, process: Int32) -> Finding? {
    guard let program = RunningProgram(process: process), program.isReplaced else { return nil }
    return Finding(
      .note, subject,
      "process \(process) is older than the installed \(program.path); it is replaced when no drag and no view is open",
      remedy: remedy)
  }

  /// The command that replaces all running programs now.
  static var remedy: String { "To replace it now: \(SuggestedCall("restart", hasBoard: false))" }
}
