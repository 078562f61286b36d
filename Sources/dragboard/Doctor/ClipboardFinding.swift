import DragboardClient

/// The examination of the clipboard bridge, which is optional.
enum ClipboardFinding {
  private static let program = "dragboard-clipboard"

  /// Returns the way to the clipboard, or the reason why no copy is stored.
  static func examine(_ dragboard: isolated DragboardConnection) async -> Finding {
    do {
      guard let info = try await Deadline.run({ try await dragboard.clipboard.info() }) else {
        return finding(.bad, "the bridge does not answer", "systemctl --user restart \(program)")
      }
      return info.isPaused
        ? finding(.note, "paused (\(info.backend))", "dragboard clipboard resume")
        : finding(.good, "copies are stored, by \(info.backend)")
    } catch let error as DragboardError where error.reason == .noClipboard {
      return ofStoppedBridge
    } catch { return finding(.bad, "\(error)") }
  }

  /// The finding that the bridge itself makes about the display.
  private static var ofStoppedBridge: Finding {
    guard let path = try? Program.findSibling(program) else {
      return finding(.note, "the bridge is not installed")
    }
    guard let result = try? Subprocess.output(of: path, ["--check"]) else {
      return finding(.bad, "\(path) cannot be run")
    }
    let words = (Subprocess.lastLine(of: result.output) ?? "no answer")
      .replacing(prefix: "\(program): ")
    return result.status == 0
      ? finding(.note, "off; it can use \(words)", "dragboard clipboard enable")
      : finding(.note, "off: \(words)")
  }

  private static func finding(
    _ state: Finding.State, _ words: String, _ remedy: String? = nil
  ) -> Finding {
    Finding(state, "clipboard", words, remedy: remedy)
  }
}
