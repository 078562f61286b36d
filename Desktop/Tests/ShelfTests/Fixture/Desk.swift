import DragboardClient
import Foundation

/// A desk to work at: a bus, a daemon, and a shelf on the display that the tests were started with.
///
/// Everything on it ends with the last reference.
final class Desk {
  /// The environment of programs on the desk.
  let environment: [String: String]
  /// A client of the daemon.
  let connection: DragboardConnection
  /// The board that the shelf shows.
  let board: Board
  /// The display that the desk is on.
  let screen: any Screen
  private let home: URL
  private let bus: Program
  private var daemon: Program
  private var shelf: Program?
  private var window = ""

  /// Lays out a desk without a shelf.
  ///
  /// - Throws: what keeps something from starting.
  init() async throws {
    home = FileManager.default.temporaryDirectory.appending(path: "desk-\(UUID().uuidString)")
    // A user's settings for a daemon of their own do not belong to the desk.
    var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("DRAGBOARD_") }
    for (variable, folder) in [
      "XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config", "XDG_RUNTIME_DIR": "run",
      "XDG_CACHE_HOME": "cache",
    ] {
      let folder = home.appending(path: folder)
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      environment[variable] = folder.path
    }
    environment["HOME"] = home.path
    environment["GTK_A11Y"] = "none"
    // GTK 3's name for the same: a bus for screen readers would outlive the desk.
    environment["NO_AT_BRIDGE"] = "1"
    screen =
      WaylandScreen.isThere
      ? try WaylandScreen(pointer: "\(try Self.ownProducts())/virtual-pointer") : XScreen()
    environment.merge(screen.environment) { $1 }
    environment["GSK_RENDERER"] = "cairo"
    environment["PATH"] = "\(try Self.products()):\(environment["PATH"] ?? "/usr/bin:/bin")"
    bus = try Program(["dbus-daemon", "--session", "--nofork", "--print-address"], environment)
    guard let address = bus.nextLine() else {
      throw Program.Failure(description: "dbus-daemon did not start")
    }
    environment["DBUS_SESSION_BUS_ADDRESS"] = address
    self.environment = environment
    daemon = try Self.startDaemon(environment)
    connection = try await .connect(to: address)
    board = try await connection.board(named: DragboardConnection.defaultBoard)
  }

  deinit {
    shelf?.kill()
    daemon.kill()
    bus.kill()
    try? FileManager.default.removeItem(at: home)
  }

  /// The directories of the executables of this package and of the package around it, which
  /// `Desktop/test` has built.
  private static func products() throws -> String {
    let folder = try ownProducts()
    guard let root = ProcessInfo.processInfo.environment["SHELF_TEST_PRODUCTS"] else {
      throw Program.Failure(description: "SHELF_TEST_PRODUCTS is not set: run Desktop/test")
    }
    return "\(folder):\(root)"
  }

  /// The directory of the executables of this package.
  static func ownProducts() throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: own).deletingLastPathComponent().path
  }

  private static func startDaemon(_ environment: [String: String]) throws -> Program {
    let daemon = try Program(["dragboardd"], environment)
    try Program.run(
      ["gdbus", "wait", "--session", "--timeout", "30", "org.dragboard.Dragboard1"], environment)
    return daemon
  }

  /// Kills the daemon, as a crash would.
  func killDaemon() { daemon.kill() }

  /// Starts the daemon again, on the same data.
  func restartDaemon() throws { daemon = try Self.startDaemon(environment) }

  /// Runs a program on the desk, and gives what it wrote.
  @discardableResult
  func run(_ arguments: String...) throws -> String { try Program.run(arguments, environment) }

  /// Starts a program on the desk.
  func start(_ arguments: String...) throws -> Program { try Program(arguments, environment) }

  /// Opens the shelf, waits until it shows the board, and gives it the keyboard.
  func openShelf(
    titled title: String = "Shelf", with variables: [String: String] = [:]
  ) async throws {
    shelf = try Program(["dragboard-shelf"], environment.merging(variables) { $1 })
    window = try screen.place(windowTitled: "^\(title)$", at: (0, 0), width: 380, height: 560)
    try await untilBoardIsShown()
    try screen.focus(window)
  }

  /// Waits until a shelf shows the board.
  func untilBoardIsShown() async throws {
    try await until {
      try await self.connection.views().contains { $0.info.board == self.board.id }
    }
  }

  /// Waits for a window, and gives its number.
  func window(named name: String) throws -> String {
    try XScreen.search("^\(name)$")
  }

  /// Waits until no window has this name.
  func untilClosed(_ name: String) async throws {
    let name = NSRegularExpression.escapedPattern(for: name)
    try await until {
      try self.run(
        "sh", "-c", "xdotool search --onlyvisible --name '^\(name)$' || true"
      ).isEmpty
    }
  }

  /// Asks again and again until it is so; 20 seconds end a test that would hang.
  func until(line: Int = #line, _ isSo: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while try await !isSo() {
      guard ContinuousClock.now < end else {
        throw Program.Failure(description: "line \(line): 20 seconds have passed")
      }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  // MARK: Keys and the pointer

  /// Presses keys at the shelf, one after the other: `alt+Down`; another window may have taken the keyboard.
  func press(_ keys: String...) throws { try press(keys) }

  /// Presses keys at the shelf, one after the other.
  func press(_ keys: [String]) throws {
    try Program.run(["xdotool", "windowfocus", window, "key"] + keys, environment)
  }

  /// Presses keys at a dialog, when it is there.
  func answer(_ title: String, _ keys: String...) throws {
    let dialog = try window(named: NSRegularExpression.escapedPattern(for: title))
    try Program.run(
      ["xdotool", "windowfocus", "--sync", dialog] + (keys.isEmpty ? [] : ["key"] + keys),
      environment)
  }

  /// Returns the selection of the shelf.
  func selection() async throws -> [ItemID] {
    try await connection.views().first { $0.info.board == board.id }?.info.selection ?? []
  }

  /// Presses a key until that row is selected: the shelf may have yet to show it.
  func select(_ item: ItemID, by key: String) async throws {
    try await until {
      try self.press(key)
      return try await self.selection() == [item]
    }
  }

  /// Presses the pointer's button at one place and takes it to another in steps, as a hand does.
  func drag(from start: (x: Int, y: Int), to end: (x: Int, y: Int)) throws {
    var words = ["xdotool", "mousemove", "\(start.x)", "\(start.y)", "mousedown", "1"]
    for step in 1...10 {
      let (x, y) = (
        start.x + (end.x - start.x) * step / 10, start.y + (end.y - start.y) * step / 10
      )
      words += ["sleep", "0.05", "mousemove", "\(x)", "\(y)"]
    }
    try Program.run(words, environment)
  }

  /// Waits until the drag's session is offered `operation`, then releases the pointer.
  func drop(when operation: DropOperation) async throws {
    try await until {
      try self.run("xdotool", "mousemove_relative", "--", "1", "0")
      try self.run("xdotool", "mousemove_relative", "--", "-1", "0")
      return try await self.connection.sessions().last?.info.operation == operation
    }
    try run("xdotool", "mouseup", "1")
  }

  // MARK: The board

  /// The texts of the board's rows, all sections.
  func texts() async throws -> [String] {
    var texts: [String] = []
    for section in try await board.snapshot().sections.indices {
      texts += try await board.texts(ofSection: section, count: 100)
    }
    return texts
  }

  /// Waits until the board has those texts.
  func untilTexts(_ texts: [String], line: Int = #line) async throws {
    try await until(line: line) { try await self.texts() == texts }
  }
}
