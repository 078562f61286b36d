import Files

/// The examination of the link of shared boards, which is optional.
enum LinkFinding {
  /// Returns whether the link exchanges edits, or the reason why it does not.
  static func examine() -> Finding {
    guard let path = try? Program.findSibling(LinkReport.program) else {
      return finding(.note, "the link is not installed")
    }
    guard let result = try? Subprocess.output(of: path, ["status", "--json"]) else {
      return finding(.bad, "\(path) cannot be run")
    }
    let words = (Subprocess.lastLine(of: result.output) ?? "no output").replacing(prefix: "Error: ")
    guard let status = LinkReport(result.output) else {
      return result.status == ExitStatus.refused.rawValue
        ? finding(.note, "this machine shares no boards", "dragboard link --help")
        : finding(.bad, words)
    }
    return finding(of: status, exit: result.status)
  }

  private static func finding(of status: LinkReport, exit: Int32) -> Finding {
    let pending = status.boards.reduce(0) { $0 + ($1.pending ?? 0) }
    let edits = pending == 0 ? "" : "; \(Amounts.count(pending, "edit")) to send"
    if exit == ExitStatus.refused.rawValue {
      return finding(.bad, status.error ?? "removed", "dragboard link leave --offline")
    }
    if !status.running {
      let words = "off: \(status.machine) exchanges no edits\(edits)"
      return finding(.note, words, "systemctl --user enable --now \(LinkReport.program)")
    }
    if status.outdated == true {
      let words =
        "the service is older than the installed \(LinkReport.program); it is replaced when no drag and no view is open"
      return finding(.note, words + edits, UpdateFinding.remedy)
    }
    if let error = status.error {
      // An absent server is not a fault, because the machine works without it.
      let isOffline = exit == ExitStatus.noDaemon.rawValue
      return finding(isOffline ? .note : .bad, error + edits)
    }
    if let board = status.boards.first(where: { $0.error != nil }) {
      return finding(.bad, "\(board.name): \(board.error ?? "")\(edits)")
    }
    if let count = status.drags?.rejected, count > 0 {
      let messages = Amounts.count(Int(clamping: count), "message")
      return finding(.bad, "the server altered or repeated \(messages) about drags\(edits)")
    }
    if let board = status.boards.first(where: { $0.arriving ?? 0 > 0 }) {
      let rows = Amounts.count(board.arriving ?? 0, "row")
      let words = "\(board.name): the server does not have the contents of \(rows)"
      return finding(.note, words + edits)
    }
    if let board = status.boards.first(where: { $0.waiting == true }) {
      let words =
        "another machine shares a board \"\(board.name)\"; the board of this machine is not shared"
      return finding(.note, words + edits, "dragboard link accept NAME")
    }
    let boards = Amounts.count(status.boards.count, "board")
    let machines = Amounts.count(status.machines?.count ?? 1, "machine")
    let drags = status.drags?.enabled == false ? ", and no drags" : ""
    return finding(
      .good, "\(status.machine) shares \(boards) in a group of \(machines)\(drags)\(edits)")
  }

  private static func finding(
    _ state: Finding.State, _ words: String, _ remedy: String? = nil
  ) -> Finding {
    Finding(state, "link", words, remedy: remedy)
  }
}
