import Foundation
import TestSupport
import Testing

@Suite("dragboard doctor")
struct DoctorTests {
  /// Returns the findings, each as `subject state words remedy`.
  private func findings(
    _ stage: CommandStage, _ variables: String = "", _ options: String = ""
  ) throws -> [String: (state: String, text: String)] {
    let result = try stage.shell("\(variables) dragboard doctor --json \(options)")
    var findings: [String: (state: String, text: String)] = [:]
    for line in result.output.split(separator: "\n") {
      let value = try JSONDecoder().decode(JSONValue.self, from: Data(line.utf8))
      let text = "\(value["words"]?.text ?? "") | \(value["remedy"]?.text ?? "")"
      findings[value["subject"]?.text ?? ""] = (value["state"]?.text ?? "", text)
    }
    return findings
  }

  /// The data directory of a stage.
  private func data(_ stage: CommandStage) -> String {
    stage.daemon.bus.home.appending(path: "data/dragboard").path
  }

  @Test("doctor examines the data directory of the running daemon")
  func directory() throws {
    let stage = try CommandStage()
    let other = stage.folder.appending(path: "other").path
    let found = try findings(stage, "XDG_DATA_HOME=/nonexistent DRAGBOARD_DATA=\(other)")
    #expect(found["data"]?.text == "\(data(stage)) | ")
  }

  @Test("Without a daemon, doctor reads the data directory from the configuration file")
  func configuration() throws {
    let stage = try CommandStage()
    stage.daemon.kill()
    let other = stage.folder.appending(path: "other").path
    let folder = stage.daemon.bus.home.appending(path: "config/dragboard").path
    let made = try stage.shell(
      "mkdir -p \(folder) && echo 'data = \"\(other)\" # here' > \(folder)/config.toml")
    #expect(made.status == .exited(0))
    #expect(try findings(stage)["data"]?.text.hasPrefix("\(other) does not exist") == true)
  }

  @Test("doctor reports a stopped daemon, and the remedy continues it")
  func frozen() throws {
    let stage = try CommandStage()
    stage.daemon.signal(SIGSTOP)
    let found = try findings(stage)
    #expect(found["daemon"]?.state == "bad")
    let remedy = try #require(found["daemon"]?.text.components(separatedBy: " | ").last)
    #expect(try stage.shell(remedy).status == .exited(0))
    #expect(try findings(stage)["daemon"]?.state == "good")
  }

  @Test("An invalid configuration prevents the start of the daemon, and list reports it")
  func wrongConfiguration() throws {
    let stage = try CommandStage()
    stage.daemon.kill()
    let folder = stage.daemon.bus.home.appending(path: "config/dragboard").path
    let made = try stage.shell("mkdir -p \(folder) && echo 'max-row = 1' > \(folder)/config.toml")
    #expect(made.status == .exited(0))
    let found = try findings(stage, "EDITOR=nano")
    #expect(found["daemon"]?.text.hasPrefix("cannot start") == true)
    #expect(found["settings"]?.text.contains("max-row") == true)
    #expect(found["settings"]?.text.hasSuffix("| nano \(folder)/config.toml") == true)
    try stage.expect(69, "list", naming: "max-row")
    #expect(
      try findings(stage, "DRAGBOARD_MAX_ROWS=x XDG_CONFIG_HOME=/nonexistent")["settings"]?.text
        .hasSuffix("| unset DRAGBOARD_MAX_ROWS") == true)
  }

  @Test("If the data directory is a file, the remedy renames the file")
  func file() throws {
    let stage = try CommandStage()
    stage.daemon.kill()
    let data = data(stage)
    #expect(try stage.shell("rm -r \(data); touch \(data)").status == .exited(0))
    let text = try #require(try findings(stage)["data"]?.text)
    #expect(text == "\(data) is not a directory | mv \(data) \(data).old")
    try stage.expect(69, "list", naming: "is not a directory")
    #expect(try stage.shell("mv \(data) \(data).old").status == .exited(0))
    #expect(try findings(stage)["data"]?.state == "note")
  }

  @Test("doctor reports a data directory that was deleted while the daemon runs")
  func deleted() throws {
    let stage = try CommandStage()
    #expect(try stage.shell("rm -r \(data(stage))").status == .exited(0))
    let found = try findings(stage)
    #expect(found["data"]?.state == "bad")
    #expect(found["data"]?.text.contains("was deleted") == true)
    #expect(found["data"]?.text.hasSuffix("kill \(stage.daemon.id)") == true)
  }

  @Test(
    "A wrong address and a missing address are different faults, and the remedy has the right address"
  )
  func addresses() throws {
    let stage = try CommandStage()
    let wrong = try findings(stage, "DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent")
    #expect(wrong["bus"]?.text.hasPrefix("DBUS_SESSION_BUS_ADDRESS: there is no bus") == true)
    let remedy = try #require(wrong["bus"]?.text.components(separatedBy: " | ").last)
    #expect(
      remedy == "export DBUS_SESSION_BUS_ADDRESS=\(stage.daemon.bus.address.prefix { $0 != "," })")
    // A daemon on another bus is not a fault of the data.
    #expect(wrong["database"] == nil)
    let option = try findings(stage, "", "--address unix:path=/nonexistent")
    #expect(option["bus"]?.text.hasPrefix("--address: there is no bus") == true)
  }

  @Test(
    "doctor reports a full disk",
    .enabled(if: SmallDisk.isPossible, "a file system cannot be mounted"))
  func fullDisk() throws {
    let stage = try CommandStage()
    let disk = try SmallDisk()
    disk.fill()
    let found = try findings(stage, "", "--data \(disk.path)")
    #expect(found["disk"]?.state == "bad")
    #expect(found["disk"]?.text.contains("full") == true)
  }

  /// The daemon recognises no sandboxes there, so it takes every caller for a sandboxed one.
  @Test(
    "doctor reports a root directory that is not a mount",
    .enabled(if: SmallDisk.isPossible, "a file system cannot be mounted"))
  func rootWithoutMount() throws {
    let stage = try CommandStage()
    let root = stage.folder.appending(path: "root").path
    // All directories are mounted in the new root, but nothing is mounted at the root itself.
    let script = """
      mkdir \(root); mount --bind \(root) \(root); for path in /*; do
        if [ -L "$path" ]; then cp -a "$path" \(root); elif [ -d "$path" ]; then
          mkdir "\(root)$path"; mount --rbind "$path" "\(root)$path"; fi; done
      chroot \(root) dragboard doctor --json
      """
    func words(mountingRoot: Bool) throws -> String {
      let text =
        mountingRoot ? script : script.replacing("mount --bind \(root) \(root); ", with: "")
      let file = stage.folder.appending(path: "script").path
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      return try stage.shell(
        "unshare --mount --propagation private bash \(file); rm -rf --one-file-system \(root)"
      ).output
    }
    #expect(try words(mountingRoot: false).contains("no file system is mounted at /"))
    let whole = try words(mountingRoot: true)
    #expect(whole.contains("\"subject\":\"bus\"") && !whole.contains("\"root\""))
  }
}
