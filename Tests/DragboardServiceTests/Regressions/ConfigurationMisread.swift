import Foundation
import TestSupport
import Testing

@Suite("Regression: the configuration was misread")
struct ConfigurationMisread {
  private let bus: PrivateBus

  init() throws { bus = try PrivateBus() }

  private var folder: URL { bus.home.appending(path: "config/dragboard") }

  private func configure(_ text: String) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appending(path: "config.toml"))
  }

  private func environment(
    _ variables: [String: String] = [:], without unset: [String] = []
  ) -> [String: String] {
    bus.environment.merging(variables) { $1 }.filter { !unset.contains($0.key) }
  }

  /// Returns the log line that names the bus and the data directory.
  private func serves(_ options: [String] = []) throws -> String {
    let process = try ChildProcess(
      try builtProduct("dragboardd"), options, environment: environment())
    let line = process.nextLine(of: .errors) ?? ""
    process.kill(SIGKILL)
    process.waitForExit()
    return line
  }

  /// Expects that the daemon does not start, and that its message contains each of `words`.
  private func expectRefusal(
    naming words: String..., options: [String] = [], environment: [String: String]? = nil,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let result = try run(
      try builtProduct("dragboardd"), options, environment: environment ?? self.environment())
    #expect(result.status == .exited(2), sourceLocation: location)
    for word in words {
      #expect(result.errors.contains(word), "\(result.errors)", sourceLocation: location)
    }
  }

  @Test("An unknown option, and an option with a superfluous value, are named")
  func options() throws {
    try expectRefusal(naming: "unknown option --bogus", options: ["--bogus"])
    try expectRefusal(naming: "unknown option --bogus", options: ["--bogus=1"])
    try expectRefusal(naming: "--replace takes no value", options: ["--replace=1"])
    try expectRefusal(naming: "--max-rows needs a value", options: ["--max-rows"])
  }

  @Test("A text in quotes keeps underscores and number signs")
  func quotedText() throws {
    let data = bus.home.path + "/my_boards # 1"
    for quote in ["\"", "'"] {
      try configure("data = \(quote)\(data)\(quote) # a comment\n")
      #expect(try serves().hasSuffix("serves \(data)"))
    }
  }

  @Test("A number may have underscores")
  func number() throws {
    try configure("max-rows = 5_000\n")
    #expect(try serves().contains("serves"))
  }

  @Test(
    "The error about a wrong or unclosed quote has the file and the line",
    arguments: [
      "data = /srv/boards", "max-rows = \"5\"", "data = \"/srv/boards", "data = '/srv/boards\"",
      "data = \"/srv/boards\" 1",
    ])
  func quotes(line: String) throws {
    try configure("# limits\n\(line)\n")
    try expectRefusal(naming: "config.toml, line 2")
  }

  @Test("With a directory as its configuration file, the daemon does not start")
  func folderAsFile() throws {
    try FileManager.default.createDirectory(
      at: folder.appending(path: "config.toml"), withIntermediateDirectories: true)
    try expectRefusal(naming: "config.toml")
  }

  @Test("With a relative or empty data path, the daemon does not start")
  func relativeData() throws {
    try expectRefusal(naming: "--data", "boards", options: ["--data", "boards"])
    try expectRefusal(naming: "--data", options: ["--data="])
    try expectRefusal(naming: "--data", options: ["--data", ""])
  }

  @Test("Without HOME and a data directory, the error names the variable to set")
  func noHome() throws {
    let homeless = environment(without: ["HOME", "XDG_DATA_HOME"])
    try expectRefusal(naming: "HOME", environment: homeless)
  }

  @Test("--help works despite an unknown variable")
  func help() throws {
    let result = try run(
      try builtProduct("dragboardd"), ["--help"], environment: environment(["DRAGBOARD_FOO": "1"]))
    #expect(result.status == .exited(0))
    #expect(result.output.contains("--data"))
  }
}
