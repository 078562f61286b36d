import Foundation
import TestSupport
import Testing

/// What lets the daemon's unit start where a user may make no user namespace.
@Suite("The generator of units")
struct UserGeneratorTests {
  private static let made = "dragboardd.service.d/50-no-user-namespace.conf"

  /// What it makes where the tools that it tries are those scripts; nil where it makes nothing.
  private func made(where tools: [String: String]) throws -> String? {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tools-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for tool in ["mkdir", "cat", "true", "sh"] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: tool).path, withDestinationPath: "/bin/\(tool)")
    }
    for (tool, script) in tools {
      let file = folder.appending(path: tool)
      try whileNothingStarts { try Data("#!/bin/sh\n\(script)\n".utf8).write(to: file) }
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }
    let result = try run(
      "/bin/sh", [Checkout.path("systemd/user-generator"), folder.appending(path: "units").path],
      environment: ["PATH": folder.path])
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(result.output + result.errors == "")
    return try? String(contentsOf: folder.appending(path: "units/\(Self.made)"), encoding: .utf8)
  }

  /// Does without a namespace what it is to do in one.
  private static let unshare = "while [ \"${1#--}\" != \"$1\" ]; do shift; done; exec \"$@\""

  @Test("It makes nothing where a user namespace gives rights")
  func rights() throws {
    let tools = ["unshare": Self.unshare, "mount": "exit 0", "setpriv": "exit 0"]
    #expect(try made(where: tools) == nil)
  }

  @Test(
    "It takes back what needs one where there is none, or it gives no rights, or nobody can tell",
    arguments: [
      ["unshare": "exit 1", "mount": "exit 0", "setpriv": "exit 0"],
      ["unshare": unshare, "mount": "exit 1", "setpriv": "exit 0"],
      ["unshare": unshare, "mount": "exit 0", "setpriv": "exit 1"],
      ["unshare": unshare, "mount": "exit 0"], ["mount": "exit 0", "setpriv": "exit 0"], [:],
    ])
  func noRights(tools: [String: String]) throws {
    #expect(try made(where: tools) != nil)
  }

  @Test("What it takes back is what the daemon's unit has and the inspector's has not")
  func settings() throws {
    let daemon = try KeyFile(Checkout.text(of: "systemd/dragboardd.service"))["Service"]
    let inspector = try KeyFile(Checkout.text(of: "systemd/dragboardd-inspector.service"))[
      "Service"]
    for (key, values) in inspector where !["BusName", "ExecStart"].contains(key) {
      #expect(daemon[key] == values, "\(key)")
    }
    let own = Set(daemon.keys).subtracting(inspector.keys).subtracting([
      "Restart", "RestartPreventExitStatus",
    ])
    let taken = try KeyFile(try #require(try made(where: [:])))["Service"]
    #expect(Set(taken.keys) == own)
  }
}
