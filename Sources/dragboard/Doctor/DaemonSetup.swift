import Files
import Glibc

/// The paths of the daemon's data directory and configuration file, by the rules of the daemon.
///
/// They depend on the arguments and the environment of the running daemon. If no daemon runs, the
/// environment of this process is used.
struct DaemonSetup {
  /// The data directory; nil if neither an option nor the environment determines it.
  let dataDirectory: String?
  /// The configuration file, which need not exist; nil if there is no home directory.
  let configurationFile: String?

  /// - Parameters:
  ///   - daemon: the process id of the running daemon; nil if none runs.
  ///   - data: the data directory that the user names; nil to find it.
  init(daemon: Int32?, data: String?) {
    let arguments = daemon.flatMap { Self.words("/proc/\($0)/cmdline") } ?? []
    let environment =
      daemon.flatMap { Self.words("/proc/\($0)/environ") }.map { Environment(entries: $0) }
      ?? Environment()
    let file = environment.directory(.configuration).map { "\($0)/dragboard/config.toml" }
    configurationFile = file
    dataDirectory =
      data ?? Self.option("--data", in: arguments) ?? environment["DRAGBOARD_DATA"]
      ?? file.flatMap(Self.data(in:))
      ?? environment.directory(.data).map { "\($0)/dragboard" }
  }

  /// Source: proc_pid_cmdline(5), proc_pid_environ(5).
  private static func words(_ path: String) -> [String]? {
    guard let bytes = try? InputFile(path: path).bytes(), !bytes.isEmpty else { return nil }
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func option(_ name: String, in arguments: [String]) -> String? {
    for (index, word) in arguments.enumerated() {
      if word.hasPrefix("\(name)=") { return String(word.dropFirst(name.count + 1)) }
      if word == name, index + 1 < arguments.count { return arguments[index + 1] }
    }
    return nil
  }

  /// Returns the value of `data` in a configuration file; nil if the file does not set it.
  private static func data(in path: String) -> String? {
    guard let bytes = try? InputFile(path: path).bytes() else { return nil }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1).map { $0.drop { $0.isWhitespace } }
      guard parts.count == 2, parts[0].prefix(while: { !$0.isWhitespace }) == "data",
        let quote = parts[1].first, quote == "\"" || quote == "'"
      else { continue }
      return String(parts[1].dropFirst().prefix { $0 != quote })
    }
    return nil
  }
}

extension DaemonSetup {
  /// Checks the configuration by starting a daemon; nil if it is valid, or no daemon is installed.
  ///
  /// The started daemon gets the address of a bus that does not exist. It reads its configuration
  /// before it connects, and it exits before it opens any data.
  func configurationFault() -> Finding? {
    guard let program = try? Program.findSibling("dragboardd"),
      let result = try? Subprocess.output(
        of: program, ["--address", "unix:path=/dev/null/none"]),
      result.status == Self.usageExit
    else { return nil }
    let words = (Subprocess.lastLine(of: result.output) ?? "")
      .replacing(prefix: "dragboardd: ")
    return Finding(
      .bad, "settings", words, remedy: remedy(for: words))
  }

  /// Returns a finding if the configuration file is newer than the daemon.
  func outdatedSettings(daemon: Int32) -> Finding? {
    var status = stat()
    guard let configurationFile, stat(configurationFile, &status) == 0,
      let start = Self.start(of: daemon), status.st_mtim.tv_sec > start
    else { return nil }
    return Finding(
      .bad, "settings",
      "\(configurationFile) is newer than the daemon, which has the earlier settings",
      remedy: "Restart the daemon: \(SuggestedCall("restart", hasBoard: false))")
  }

  /// Returns the time at which a process started, in whole seconds since 1970, rounded up.
  ///
  /// Source: proc_pid_stat(5), field 22.
  private static func start(of process: Int32) -> Int? {
    guard let bytes = try? InputFile(path: "/proc/\(process)/stat").bytes() else { return nil }
    let fields = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?
      .split(separator: " ")
    guard let fields, fields.count > 19, let ticks = Int(fields[19]) else { return nil }
    var (now, boot) = (timespec(), timespec())
    clock_gettime(CLOCK_REALTIME, &now)
    clock_gettime(CLOCK_BOOTTIME, &boot)
    return now.tv_sec - boot.tv_sec + ticks / sysconf(Int32(_SC_CLK_TCK)) + 1
  }

  /// The exit code of the daemon if its options, variables or configuration file are invalid.
  private static let usageExit: Int32 = 2

  private func remedy(for fault: String) -> String? {
    if fault.hasPrefix("variable ") {
      return "unset \(fault.dropFirst("variable ".count).prefix { $0 != ":" })"
    }
    return configurationFile.map { "\(Editor.command) \(ShellWord.quoted($0))" }
  }
}

extension String {
  func replacing(prefix: String) -> String {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
  }
}
