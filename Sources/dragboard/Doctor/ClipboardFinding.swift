import DragboardClient
import Files

/// The examination of the clipboard bridge, which is optional.
enum ClipboardFinding {
  private static let program = "dragboard-clipboard"

  /// Returns the finding about the bridge: how it accesses the clipboard, or why it stores no
  /// copies.
  static func examine(_ dragboard: isolated DragboardConnection) async -> Finding {
    do {
      guard let info = try await Deadline.run({ try await dragboard.clipboard.info() }) else {
        return finding(.bad, "the bridge does not reply", "systemctl --user restart \(program)")
      }
      return info.isPaused
        ? finding(.note, "paused (\(info.backend))", "dragboard clipboard resume")
        : finding(.good, "the bridge runs (\(info.backend))")
    } catch let error as DragboardError where error.reason == .noClipboard {
      return ofStoppedBridge
    } catch { return finding(.bad, "\(error)") }
  }

  /// The finding about a bridge that does not run.
  ///
  /// `dragboard-clipboard --check` examines the display.
  private static var ofStoppedBridge: Finding {
    guard let path = try? Program.findSibling(program) else {
      return finding(.note, "the bridge is not installed")
    }
    guard let result = try? Subprocess.output(of: path, ["--check"]) else {
      return finding(.bad, "\(path) cannot be run")
    }
    let words = (Subprocess.lastLine(of: result.output) ?? "no output")
      .replacing(prefix: "\(program): ")
    return result.status == 0
      ? finding(.note, "off; it can use \(words)", "dragboard clipboard enable")
      : finding(.note, "off: \(words)")
  }

  /// The finding about the means by which applications can be excluded; nil if the bridge does not
  /// run.
  static func examineApplications(_ dragboard: isolated DragboardConnection) async -> Finding? {
    guard let info = try? await Deadline.run({ try await dragboard.clipboard.info() }) else {
      return nil
    }
    let part = "applications"
    if let means = info.applicationReports {
      return Finding(
        .good, part,
        "copies of applications can be excluded, by \(ClipboardStatus.words(for: means))")
    }
    return Finding(
      .note, part,
      "this desktop does not report the application of a copy, so none can be excluded",
      remedy: info.backend == "mutter"
        ? "Install the extension of GNOME Shell: Desktop/gnome-extension/build" : nil)
  }

  /// The finding about the means by which picked rows are pasted; nil if the bridge does not run.
  static func examinePasting(_ dragboard: isolated DragboardConnection) async -> Finding? {
    guard let info = try? await Deadline.run({ try await dragboard.clipboard.info() }) else {
      return nil
    }
    let words = "picked rows are pasted "
    guard info.pasteMeans != nil else {
      return Finding(
        .note, "pasting", "this desktop lets no program paste, so picked rows are only copied",
        remedy: info.backend == "mutter"
          ? "Install the extension of GNOME Shell: Desktop/gnome-extension/build" : nil)
    }
    guard info.pastePermission == .missing else {
      return Finding(.good, "pasting", words + ClipboardStatus.words(forPasting: info))
    }
    return Finding(
      .note, "pasting", "the desktop requires your permission to paste picked rows",
      remedy: "dragboard clipboard allow-pasting")
  }

  private static func finding(
    _ state: Finding.State, _ words: String, _ remedy: String? = nil
  ) -> Finding {
    Finding(state, "clipboard", words, remedy: remedy)
  }
}
