import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("Under a real user manager")
struct UserManagerTests {
  @Test("The first call starts the unit, and the daemon does its work as confined as it is there")
  func confined() throws {
    let home = FileManager.default.temporaryDirectory
      .appending(path: "manager-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    try prepare(home)
    let result = try run(
      Checkout.path("Tests/PackagingTests/Manager/manager.sh"),
      [home.path, home.path + "/confined.sh"])
    // Where there may be no mount namespace, control group or manager, there is nothing to be seen.
    guard result.status != .exited(77) else { return }
    let manager = try? String(contentsOf: home.appending(path: "manager.log"), encoding: .utf8)
    #expect(result.status == .exited(0), "\(result.errors) \(manager ?? "")")
    #expect(result.output.hasSuffix("Result=success\n"), "\(result.output)")
  }

  /// A home of nobody's, with what is installed for a user.
  private func prepare(_ home: URL) throws {
    for folder in ["", "config/systemd/user", "data/dbus-1/services"] {
      try FileManager.default.createDirectory(
        at: home.appending(path: folder), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o755])
    }
    try makeProgram {
      try FileManager.default.copyItem(
        atPath: builtProduct("dragboardd"), toPath: home.path + "/dragboardd")
      try FileManager.default.copyItem(
        atPath: Checkout.path("Tests/PackagingTests/Manager/confined.sh"),
        toPath: home.path + "/confined.sh")
    }
    let files = [
      "dragboardd.service": "config/systemd/user",
      "\(Dragboard.busName).service": "data/dbus-1/services",
    ]
    for (name, folder) in files {
      let text = try Checkout.text(of: "systemd/\(name)")
        .replacingOccurrences(of: "/usr/bin", with: home.path)
      try Data(text.utf8).write(to: home.appending(path: folder).appending(path: name))
    }
  }
}
