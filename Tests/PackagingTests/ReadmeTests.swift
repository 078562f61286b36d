import Foundation
import TestSupport
import Testing

@Suite("The README's commands")
struct ReadmeTests {
  @Test("The check of every change ends with the README's command for the tests")
  func check() throws {
    let last = try #require(Checkout.text(of: ".ci/run").split(separator: "\n").last)
    #expect(last.hasSuffix("swift test"))
    #expect(try Checkout.text(of: "README.md").split(separator: "\n").contains(last))
  }

  @Test("The tour with dbus-send does what it says")
  func tour() throws {
    let blocks = try Self.blocks(of: "A tour with dbus-send").map(\.script)
    #expect(blocks.first == "dbus-run-session -- bash\n")
    let script = try #require(blocks.last)
      .replacing(".build/release/dragboardd", with: try builtProduct("dragboardd"))

    let home = try PrivateBus()
    var environment = home.environment
    environment["TMPDIR"] = home.home.path
    let result = try run(
      "dbus-run-session", ["--", "bash", "-e", "-c", "set -e -o pipefail\n\(script)"],
      environment: environment)
    #expect(result.status == .exited(0), "\(result.errors)")
    let words = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains(" copy insert-at-destination uint32 0 uint32 1 copy array [ "))
    #expect(words.contains(" move array [ "))
    #expect(
      words.hasSuffix("array [ Buy stamps Breakfast with Ada Return the books Call the garage ]"))
  }

  @Test("Every day's examples do what they say, one after the other, in two terminals")
  func everyDay() throws {
    let desk = try Desk()
    var waiting: ChildProcess?
    var shown: [String] = []
    for (text, script) in try Self.blocks(of: "Every day") {
      if text.hasSuffix("In one:") {
        waiting = try desk.start(script)
        #expect(waiting?.nextLine() != nil)
        continue
      }
      let result = try desk.run(script)
      #expect(result.status == .exited(0), "\(script)\(result.errors)")
      #expect(result.errors == "", "\(script)")
      shown.append(result.output)
      if let drag = waiting.take() {
        #expect(drag.nextLine() == "copied 1 item")
        #expect(drag.waitForExit() == .exited(0))
      }
    }
    try #require(shown.count == 5)
    #expect(shown[0].hasSuffix("\tBuy ten stamps\n"))
    #expect(shown[1].contains("\ntext/html\n"))
    #expect(shown[2].contains("\nforbidden\t"))
    #expect(shown[2].hasSuffix("\n\(desk.home)/work.tar.gz\n"))
    #expect(shown[4] == "Breakfast with Ada")
    let list = try desk.run("dragboard list | cut -f 1,6").output
    #expect(
      list == """
        0\t
        1\tBuy ten stamps
        2\tCall the garage
        3\tREADME.md
        4\t
        files:0\tWater the plants

        """)
  }

  /// The examples of a section of the README, each with the paragraph before it.
  private static func blocks(of section: String) throws -> [(text: String, script: String)] {
    let section = try #require(
      try Checkout.text(of: "README.md").components(separatedBy: "\n## ")
        .first { $0.hasPrefix("\(section)\n") })
    let parts = section.components(separatedBy: "```")
    return stride(from: 1, to: parts.count, by: 2).map { index in
      (
        parts[index - 1].trimmingCharacters(in: .whitespacesAndNewlines),
        String(parts[index].dropFirst("sh\n".count))
      )
    }
  }
}

/// Where the README's examples are typed: a daemon, a folder with some files, and a rofi that takes the first row.
private struct Desk {
  private let daemon: Daemon
  /// Where commands run.
  let home: String
  private let environment: [String: String]

  init() throws {
    daemon = try Daemon()
    let (folder, programs) = (
      daemon.bus.home.appending(path: "me"), daemon.bus.home.appending(path: "bin")
    )
    for new in [folder, programs] {
      try FileManager.default.createDirectory(at: new, withIntermediateDirectories: false)
    }
    let rofi = programs.appending(path: "rofi")
    try "#!/bin/sh\nsed -n 1p\n".write(to: rofi, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: rofi.path)
    try Checkout.text(of: "README.md")
      .write(to: folder.appending(path: "README.md"), atomically: true, encoding: .utf8)
    let products = URL(fileURLWithPath: try builtProduct("dragboard")).deletingLastPathComponent()
    home = folder.path
    environment = daemon.bus.environment.merging([
      "PATH": "\(products.path):\(programs.path):/usr/bin:/bin", "DISPLAY": ":1", "HOME": home,
    ]) { $1 }
  }

  func start(_ script: String) throws -> ChildProcess {
    try ChildProcess("bash", arguments(script), environment: environment)
  }

  func run(_ script: String) throws -> CommandResult {
    try TestSupport.run("bash", arguments(script), environment: environment)
  }

  private func arguments(_ script: String) -> [String] {
    ["-c", "cd \"$0\" && set -e -o pipefail\n\(script)", home]
  }
}
