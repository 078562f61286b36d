import DragboardClient
import Files
import Glibc

/// The file by which the bus starts the daemon.
///
/// Source: the D-Bus specification, section "Message Bus Starting Services".
struct ActivationFile {
  private let path: String
  /// The program that the bus starts.
  private let program: String

  private static let name = "dbus-1/services/org.dragboard.Dragboard1.service"

  /// Finds the file in the data directories; nil if there is none, or it names no program.
  init?() {
    let home = Environment["XDG_DATA_HOME"] ?? Environment["HOME"].map { "\($0)/.local/share" }
    let system = Environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share"
    let directories = (home.map { [$0] } ?? []) + system.split(separator: ":").map(String.init)
    for path in directories.map({ "\($0)/\(Self.name)" }) {
      guard let bytes = try? InputFile(path: path).bytes() else { continue }
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      guard let line = lines.first(where: { $0.hasPrefix("Exec=") }),
        let word = line.dropFirst("Exec=".count).split(separator: " ").first
      else { continue }
      (self.path, program) = (path, String(word))
      return
    }
    return nil
  }

  /// Runs the program with `--version`; returns the fault, or nil if it is the program of this release.
  func fault() -> Finding? {
    guard let result = try? Subprocess.output(of: program, ["--version"]) else {
      return Finding(
        .bad, "activation", "the bus would start \(program), which cannot be run",
        remedy: "Install the daemon again, or correct Exec in \(path)")
    }
    guard result.status == 0 else {
      let words = Subprocess.lastLine(of: result.output) ?? "it fails"
      return Finding(
        .bad, "activation", "the bus would start \(program), which fails: \(words)",
        remedy: "Install the daemon again, or correct Exec in \(path)")
    }
    let version = Subprocess.lastLine(of: result.output)?.split(separator: " ").last.map(
      String.init)
    guard version != DragboardConnection.version else { return nil }
    return Finding(
      .bad, "activation",
      "the bus would start \(program) of version \(version ?? "unknown"), but this command has "
        + DragboardConnection.version,
      remedy: "Install both from the same release, or correct Exec in \(path)")
  }
}
