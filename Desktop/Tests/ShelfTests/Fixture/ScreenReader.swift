import Foundation

/// A screen reader, which reads the shelf's windows through AT-SPI.
struct ScreenReader {
  /// A visible widget.
  struct Widget: Hashable {
    /// The role: `push button`.
    let role: String
    /// The name that is read aloud.
    let name: String
    /// The states: `focused`, `checked`, `selected`, `sensitive`.
    let states: Set<String>
  }

  private let desk: Desk
  private let launcher: Program
  private let bus: String

  /// Starts the bus for screen readers; must be called before the shelf starts.
  init(at desk: Desk) throws {
    self.desk = desk
    launcher = try desk.start("/usr/libexec/at-spi-bus-launcher", "--launch-immediately")
    try desk.run("gdbus", "wait", "--session", "--timeout", "30", "org.a11y.Bus")
    let answer = try desk.run(
      "gdbus", "call", "--session", "--dest", "org.a11y.Bus", "--object-path", "/org/a11y/bus",
      "--method", "org.a11y.Bus.GetAddress")
    bus = String(answer.drop { $0 != "'" }.dropFirst().prefix { $0 != "'" })
  }

  /// The variables that connect a shelf to the screen reader.
  var variables: [String: String] { ["GTK_A11Y": "atspi", "AT_SPI_BUS_ADDRESS": bus] }

  private func read(_ arguments: String...) throws -> String {
    try Program.run(
      ["timeout", "10", Peer.folder.appending(path: "screen-reader").path] + arguments,
      desk.environment.merging(variables) { $1 })
  }

  private static func widgets(_ lines: String) -> [Widget] {
    lines.split(separator: "\n").map { line in
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      return Widget(
        role: parts[0], name: parts.count > 1 ? parts[1] : "",
        states: Set((parts.last ?? "").split(separator: " ").map(String.init)))
    }
  }

  /// Returns the visible widgets.
  func widgets() throws -> [Widget] { Self.widgets(try read("tree")) }

  /// Returns the widget with the keyboard focus.
  func focus() throws -> Widget? { Self.widgets(try read("focus")).first }

  /// Waits for a widget with this role whose name begins with `name`, and returns it.
  @discardableResult
  func wait(for role: String, _ name: String, line: Int = #line) async throws -> Widget {
    var found: Widget?
    try await desk.until(line: line) {
      found = try widgets().first { $0.role == role && $0.name.hasPrefix(name) }
      return found != nil
    }
    guard let found else { throw Program.Failure(description: "no \(role) \(name)") }
    return found
  }

  /// Waits for a widget, and activates it.
  func press(_ name: String, line: Int = #line) async throws {
    try await desk.until(line: line) { (try? read("press", name)) != nil }
  }

  /// Presses a key, by default Tab, until the widget with this name, and this role if given, has
  /// the keyboard focus.
  func tab(to name: String, role: String? = nil, by key: String = "Tab") throws {
    for _ in 1...30 {
      if let focus = try focus(), focus.name == name, role == nil || focus.role == role { return }
      try desk.run("xdotool", "key", key, "sleep", "0.1")
    }
    throw Program.Failure(description: "\(key) does not reach \(name)")
  }
}
