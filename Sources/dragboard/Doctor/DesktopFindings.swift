import Files

/// The examination of the desktop: the parts of the shelf that depend on the display, and whether they
/// work here.
enum DesktopFindings {
  private static let program = "dragboard-shelf"

  /// Returns a finding for each part.
  ///
  /// `dragboard-shelf --check` examines the display. It prints a line for each part: `yes` or `no`,
  /// the part, the means or the reason, and the remedy if there is one, separated by tabs.
  static func examine() -> [Finding] {
    guard let path = try? Program.findSibling(program) else {
      return [Finding(.note, "shelf", "the shelf is not installed")]
    }
    guard let result = try? Subprocess.output(of: path, ["--check"]) else {
      return [Finding(.bad, "shelf", "\(path) cannot be run")]
    }
    let lines = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
      .compactMap(finding)
    guard result.status == 0, !lines.isEmpty else {
      let words = Subprocess.lastLine(of: result.output) ?? "no output"
      return [Finding(.note, "shelf", words.replacing(prefix: "\(program): "))]
    }
    return lines
  }

  /// Returns the finding of a line; nil for another line, such as a warning of the toolkit.
  private static func finding(_ line: Substring) -> Finding? {
    let words = line.split(separator: "\t").map(String.init)
    guard (3...4).contains(words.count), ["yes", "no"].contains(words[0]) else { return nil }
    return Finding(
      words[0] == "yes" ? .good : .note, words[1], words[2],
      remedy: words.count == 4 ? words[3] : nil)
  }
}
