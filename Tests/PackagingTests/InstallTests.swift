import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("packaging/install")
struct InstallTests {
  /// A folder that stands for the root of a system, removed in the end.
  private final class Root {
    let url = FileManager.default.temporaryDirectory.appending(path: "root-\(UUID())")

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The files in it, below the root.
    func files() -> Set<String> {
      let paths = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String }
      return Set(
        (paths ?? []).filter { path in
          (try? url.appending(path: path).resourceValues(forKeys: [.isRegularFileKey]))?
            .isRegularFile == true
        })
    }

    func text(of path: String) throws -> String {
      try String(contentsOf: url.appending(path: path), encoding: .utf8)
    }
  }

  private func install(_ arguments: [String], into root: Root? = nil) throws -> CommandResult {
    let script = Checkout.path("packaging/install")
    let environment = root.map { ["DESTDIR": $0.url.path] } ?? [:]
    return try run(
      "bash", [script] + arguments,
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 })
  }

  @Test("It puts everything where a session looks for it, and removes it again")
  func installsAndRemoves() throws {
    let root = Root()
    let programs = URL(fileURLWithPath: try builtProduct("dragboardd")).deletingLastPathComponent()
    let result = try install(["--prefix", "/opt/x", "--programs", programs.path], into: root)
    #expect(result.status == .exited(0), "\(result.errors)")
    let files = root.files()
    for path in [
      "bin/dragboard", "bin/dragboardd", "lib/systemd/user/dragboardd.service",
      "share/dbus-1/services/\(Dragboard.busName).service",
      "share/dbus-1/interfaces/\(BoardInterface.name).xml",
      "share/bash-completion/completions/dragboard", "share/zsh/site-functions/_dragboard",
      "share/fish/vendor_completions.d/dragboard.fish", "share/man/man1/dragboard.1",
      "share/man/man1/dragboard-drag.1", "share/man/man1/dragboardd.1",
    ] {
      #expect(files.contains("opt/x/\(path)"), "\(path)")
    }
    let activation = "opt/x/share/dbus-1/services/\(Dragboard.busName).service"
    #expect(try root.text(of: activation).contains("Exec=/opt/x/bin/dragboardd\n"))
    let unit = "opt/x/lib/systemd/user/dragboardd.service"
    #expect(try root.text(of: unit).contains("ExecStart=/opt/x/bin/dragboardd\n"))

    let own = root.url.appending(path: "opt/x/share/man/man1/other.1")
    try Data("somebody else's".utf8).write(to: own)
    #expect(try install(["--remove", "--prefix", "/opt/x"], into: root).status == .exited(0))
    #expect(root.files() == ["opt/x/share/man/man1/other.1"])
  }

  @Test(
    "What makes no sense is refused, and named",
    arguments: [
      (["--bogus"], 64, "--bogus"), (["--prefix"], 64, "--prefix"),
      (["--prefix", "usr"], 64, "--prefix usr"),
      (["--programs", "/nowhere"], 66, "/nowhere/dragboard"),
    ] as [([String], Int32, String)])
  func misuse(arguments: [String], status: Int32, words: String) throws {
    let root = Root()
    let result = try install(arguments, into: root)
    #expect(result.status == .exited(status))
    #expect(result.errors.contains(words))
    #expect(root.files().isEmpty)
  }
}
