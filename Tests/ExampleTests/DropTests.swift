import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

/// A program that drops the latest drag on a board; each uses a different D-Bus binding.
enum DropClient: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case dasbus = "python/drop_dasbus.py"
  case dbusFast = "python/drop_dbus_fast.py"
  case gdbus = "generated/drop.c"
  case qtdbus = "generated/drop.cpp"

  var testDescription: String { rawValue }

  /// Clients whose binding is installed.
  static let available = allCases.filter(\.isAvailable)

  private var isAvailable: Bool {
    switch self {
    case .dasbus: Self.hasModule("dasbus")
    case .dbusFast: Self.hasModule("dbus_fast")
    case .gdbus: GeneratedLanguage.available.contains(.c)
    case .qtdbus: GeneratedLanguage.available.contains(.cpp)
    }
  }

  private static func hasModule(_ name: String) -> Bool {
    (try? run("/usr/bin/python3", ["-c", "import \(name)"]))?.status.isSuccess ?? false
  }

  /// The path of the source file.
  var source: String { Examples.folder.appending(path: rawValue).path }

  /// Returns the path of the program, and builds it if necessary.
  func program() throws -> String {
    switch self {
    case .dasbus, .dbusFast: source
    case .gdbus: try GeneratedPrograms.c.get() + "/drop-c"
    case .qtdbus: try GeneratedPrograms.cpp.get() + "/drop-cpp"
    }
  }
}

@Suite("The examples that drop a drag on a board")
struct DropTests {
  let desk: Desk
  init() throws { desk = try Desk() }

  private func beginDrag() throws {
    _ = try desk.client.call(
      ManagerInterface.beginTextDrag, at: Dragboard.root, "org.example.Notes", ["one", "two"])
  }

  @Test("A waiting drag is dropped, and the new rows are printed", arguments: DropClient.available)
  func drop(client: DropClient) throws {
    try beginDrag()
    let result = try desk.daemon.run(client.program(), [])
    #expect(result.status == .exited(0), "\(result.errors)")
    let (_, sections) = try desk.client.call(BoardInterface.getSnapshot)
    #expect(result.output == sections[0].members.1.map { "\($0)\n" }.joined())
    #expect(try desk.client.call(BoardInterface.getTexts, 0, 0, 9) == ["one", "two"])
  }

  @Test("A drag that the board does not accept stays active", arguments: DropClient.available)
  func forbidden(client: DropClient) throws {
    try desk.client.call(BoardInterface.setAcceptedTypes, ["image/*"])
    try beginDrag()
    let result = try desk.daemon.run(client.program(), [])
    #expect(result.status == .exited(1))
    #expect(result.errors == "drop: forbidden\n")
    #expect(try desk.client.get(ManagerInterface.sessions, at: Dragboard.root).count == 1)
  }

  @Test("Without a drag or a bus, a program reports an error", arguments: DropClient.available)
  func nothing(client: DropClient) throws {
    let result = try desk.daemon.run(client.program(), [])
    #expect(result.status == .exited(1))
    #expect(result.errors == "drop: nothing is being dragged\n")
    var environment = desk.daemon.bus.environment
    environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"
    let failure = try run(client.program(), [], environment: environment)
    #expect(failure.status == .exited(1))
    #expect(failure.errors.hasPrefix("drop: ") && failure.errors.count { $0 == "\n" } == 1)
  }

  @Test("A program has at most 30 lines of code", arguments: DropClient.allCases)
  func lines(client: DropClient) throws {
    let source = try String(contentsOfFile: client.source, encoding: .utf8)
    let code = source.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { line in
      !["//", "#!", "# ", "\"\"\""].contains { line.hasPrefix($0) } && !line.isEmpty
    }
    #expect(15...30 ~= code.count)
  }

  @Test(
    "dasbus and dbus-fast are installed",
    .enabled(
      if: Set(DropClient.available).isSuperset(of: [.dasbus, .dbusFast]),
      "clients are not tested: apt-get install python3-dasbus python3-dbus-fast"))
  func bindings() { #expect(DropClient.available.count >= 2) }
}
