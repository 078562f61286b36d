import ArgumentParser
import DragboardClient

struct ClipboardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clipboard", abstract: "Control the bridge from the clipboard to its board.",
    discussion: """
      When a program copies something to the clipboard, the bridge, dragboard-clipboard, stores the copy with all its \
      types as the first row of the board 'clipboard'. 'dragboard clipboard enable' starts the bridge. It never reads a \
      copy that a password manager marks as a secret.

      EXAMPLES:
        dragboard clipboard enable
        dragboard pick --copy --board clipboard
        dragboard clipboard pause 300
        dragboard clipboard exclude --application keepassxc
      """,
    subcommands: [
      ClipboardStatus.self, ClipboardEnable.self, ClipboardDisable.self, ClipboardPause.self,
      ClipboardResume.self, ClipboardClear.self, ClipboardExclude.self,
      ClipboardAllowPasting.self, ClipboardImport.self,
    ], defaultSubcommand: ClipboardStatus.self)
}

struct ClipboardStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show whether the bridge runs, and its exclusions.",
    discussion: "If it does not run, the exit code is 69.")

  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection) { dragboard in
      do {
        try print(try await dragboard.clipboard.info())
      } catch let error as DragboardError where error.reason == .noClipboard {
        if output.json { try Console.writeLine(["running": false]) }
        throw error
      }
    }
  }

  private func print(_ info: ClipboardBridge.Info) throws(Failure) {
    if output.json {
      return try Console.writeLine([
        "running": true, "backend": .string(info.backend), "paused": .boolean(info.isPaused),
        "pauses_while_locked": .boolean(info.pausesWhileLocked),
        "stores_selections": .boolean(info.storesSelections),
        "excluded_applications": JSON(texts: info.excludedApplications),
        "excluded_windows": JSON(texts: info.excludedWindows),
        "excluded_types": JSON(texts: info.excludedTypes),
        "application_reports": info.applicationReports.map { .string($0) } ?? .null,
        "recent_applications": JSON(texts: info.recentApplications),
        "paste_means": info.pasteMeans.map { .string($0) } ?? .null,
        "paste_permission": .string(info.pastePermission.rawValue),
      ])
    }
    let facts = [
      ("backend", info.backend),
      (
        "recording",
        (info.isPaused ? "paused" : "on")
          + (info.pausesWhileLocked ? ", off while the screen is locked" : "")
          + (info.storesSelections ? ", also selected text" : "")
      ),
      (
        "applications",
        info.applicationReports.map { "reported by \(Self.words(for: $0))" }
          ?? "not reported by this desktop, so none can be excluded"
      ),
      ("pasting", Self.words(forPasting: info)),
      ("excluded", ClipboardExclude.words(info).joined(separator: ", ")),
    ].filter { !$1.isEmpty }
    for (name, value) in facts {
      try Console.writeLine(
        Ink.standard.dim(TerminalText(name).padded(to: 16)) + TerminalText(value).text)
    }
  }
}

extension ClipboardStatus {
  /// Returns the means of `ApplicationReports` in words.
  static func words(for means: String) -> String {
    switch means {
    case "x11": "X11"
    case "foreign-toplevel": "the compositor's list of windows"
    case "kwin-script": "a script of KWin"
    case "gnome-extension": "the extension of GNOME Shell"
    default: means
    }
  }
}

extension ClipboardStatus {
  /// Returns the means by which picked rows are pasted, in words.
  static func words(forPasting info: ClipboardBridge.Info) -> String {
    let means =
      switch info.pasteMeans {
      case "xtest": "by X11"
      case "virtual-keyboard": "by a virtual keyboard"
      case "gnome-extension": "by the extension of GNOME Shell"
      case "portal": "by the desktop's portal"
      case .some(let other): "by \(other)"
      case nil: "not possible on this desktop: picked rows are only copied"
      }
    return switch info.pastePermission {
    case .notNeeded: means
    case .granted: means + ", with your permission"
    case .missing: means + ", which needs your permission ('dragboard clipboard allow-pasting')"
    }
  }
}

struct ClipboardPause: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause", abstract: "Stop storing copies, for a time or until 'resume'.",
    discussion: """
      With --while-locked, store no copies while the screen is locked, also in later sessions. With --selections, store no \
      selected text; copies are still stored.

      EXAMPLES:
        dragboard clipboard pause
        dragboard clipboard pause 300
        dragboard clipboard pause --while-locked
      """)

  @Argument(help: ArgumentHelp("Seconds after which the pause ends.", valueName: "seconds"))
  var seconds: UInt32?
  @Flag(help: "Pause whenever the screen is locked, instead of now.")
  var whileLocked = false
  @Flag(help: "Stop storing selected text, instead of copies.")
  var selections = false
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard !whileLocked || seconds == nil else {
      throw ValidationError("--while-locked: cannot be used with a number of seconds")
    }
    guard !selections || seconds == nil && !whileLocked else {
      throw ValidationError(
        "--selections: cannot be used with a number of seconds or with --while-locked")
    }
    guard seconds != 0 else {
      throw ValidationError("seconds: 0 is out of range (1…\(UInt32.max))")
    }
  }

  func run() throws {
    try run(on: connection) { dragboard in
      if whileLocked { return try await dragboard.clipboard.setPausesWhileLocked(true) }
      if selections { return try await dragboard.clipboard.setStoresSelections(false) }
      try await dragboard.clipboard.pause(for: seconds.map { .seconds($0) })
    }
  }
}

struct ClipboardResume: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Store copies again.",
    discussion: """
      With --selections, also store text that is selected but not copied (the primary selection), on the board \
      'selections', also in later sessions. A text is stored when the pointer button is released; on Wayland, where \
      the button is unknown, when the text has not changed for a second. This is off by default. GNOME on Wayland reports \
      selected text to no program.

      EXAMPLES:
        dragboard clipboard resume
        dragboard clipboard resume --selections
      """)

  @Flag(help: "Store copies even while the screen is locked; another pause goes on.")
  var whileLocked = false
  @Flag(help: "Store selected text, too; a pause goes on.")
  var selections = false
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard !selections || !whileLocked else {
      throw ValidationError("--selections: cannot be used with --while-locked")
    }
  }

  func run() throws {
    try run(on: connection) { dragboard in
      if whileLocked { return try await dragboard.clipboard.setPausesWhileLocked(false) }
      if selections { return try await dragboard.clipboard.setStoresSelections(true) }
      try await dragboard.clipboard.resume()
    }
  }
}

struct ClipboardClear: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Erase the stored copies, except pinned rows.",
    discussion: """
      If the bridge owns the clipboard, the clipboard becomes empty. The rows and the undo history of the board are erased \
      from the disk, and so are the files that the shelf has copied for drags of the rows: 'dragboard undo' cannot \
      restore them.
      """)

  @Flag(help: "Erase pinned rows, too.")
  var all = false
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection) { dragboard in
      try await dragboard.clipboard.clear(includingPinned: all)
      try await ExportedFiles.erase(on: dragboard)
    }
  }
}
