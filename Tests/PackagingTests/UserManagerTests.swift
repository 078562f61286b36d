import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("Under a real user manager", .serialized)
struct UserManagerTests {
  @Test("The first call starts the unit, and the daemon does its work as confined as it is there")
  func confined() throws { try check("confined.sh", "yes", says: "Result=success\n") }

  @Test("So it does where nobody may make a user namespace")
  func withoutNamespaces() throws {
    try check("confined.sh", "no", hasNamespaces: false, says: "Result=success\n")
  }

  @Test("There the generator is what lets the unit start")
  func withoutGenerator() throws {
    // EXIT_USER of systemd.exec(5).
    try check(
      "unstartable.sh", hasNamespaces: false, hasGenerator: false, says: "ExecMainStatus=217\n")
  }

  /// Runs a script beside a manager, and expects its last words.
  private func check(
    _ script: String, _ arguments: String..., hasNamespaces: Bool = true,
    hasGenerator: Bool = true, says words: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    let home = FileManager.default.temporaryDirectory
      .appending(path: "manager-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    try prepare(home, script, hasGenerator: hasGenerator)
    let result = try run(
      Checkout.path("Tests/PackagingTests/Manager/manager.sh"),
      [home.path, "\(Self.place)/\(script)"] + arguments,
      environment: ProcessInfo.processInfo.environment.merging(
        ["MANAGER_WALLS": hasNamespaces ? "yes" : "no"]) { $1 })
    // Where there may be no mount namespace, control group or manager, there is nothing to be seen.
    guard result.status != .exited(77) else { return }
    let manager = try? String(contentsOf: home.appending(path: "manager.log"), encoding: .utf8)
    #expect(
      result.status == .exited(0), "\(result.output) \(result.errors) \(manager ?? "")",
      sourceLocation: location)
    #expect(result.output.hasSuffix(words), "\(result.output)", sourceLocation: location)
  }

  /// Where the home is for the manager, and all that it starts.
  private static let place = "/run/home"

  /// A home of nobody's, with what is installed for a user.
  private func prepare(_ home: URL, _ script: String, hasGenerator: Bool) throws {
    for folder in ["", "config/systemd/user", "data/dbus-1/services", "generators"] {
      try FileManager.default.createDirectory(
        at: home.appending(path: folder), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o755])
    }
    var programs = [
      "dragboardd": try builtProduct("dragboardd"), "dragboard": try builtProduct("dragboard"),
      script: Checkout.path("Tests/PackagingTests/Manager/\(script)"),
      "enter-sandbox": Checkout.path("Tests/DragboardServiceTests/Shims/enter-sandbox"),
    ]
    if hasGenerator { programs["generators/dragboard"] = Checkout.path("systemd/user-generator") }
    try whileNothingStarts {
      for (name, path) in programs {
        try FileManager.default.copyItem(atPath: path, toPath: "\(home.path)/\(name)")
      }
    }
    for file in try FileManager.default.contentsOfDirectory(atPath: Checkout.path("systemd"))
    where file.hasSuffix(".service") {
      let folder = file.hasPrefix("org.") ? "data/dbus-1/services" : "config/systemd/user"
      let text = try Checkout.text(of: "systemd/\(file)")
        .replacingOccurrences(of: "/usr/bin", with: Self.place)
      try Data(text.utf8).write(to: home.appending(path: folder).appending(path: file))
    }
  }
}
