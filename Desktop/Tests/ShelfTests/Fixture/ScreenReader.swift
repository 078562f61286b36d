import Foundation
import TestSupport

/// An object of the shelf's windows, as a screen reader finds it.
struct Control: CustomStringConvertible {
  /// Its depth in the tree.
  let depth: Int
  /// Its role, by the name of AT-SPI: `push button`.
  let role: String
  /// Its name.
  let name: String
  /// Its states: `focusable`, `selected`.
  let states: Set<Substring>
  /// Its actions: `click`.
  let actions: Set<Substring>

  var description: String { "\(role) “\(name)”" }

  fileprivate init?(_ line: Substring) {
    let words = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard words.count == 5, let depth = Int(words[0]) else { return nil }
    self.depth = depth
    (role, name) = (String(words[1]), String(words[2]))
    states = Set(words[3].split(separator: ","))
    actions = Set(words[4].split(separator: ","))
  }
}

/// A client of the accessibility bus that reads the shelf's windows, as a screen reader does.
struct ScreenReader {
  /// The environment variables that make a shelf readable.
  let variables: [String: String]
  private let desk: Desk

  /// Starts the bus of screen readers on a desk, before the shelf.
  init(at desk: Desk) throws {
    self.desk = desk
    let address = try desk.run(
      "gdbus", "call", "--session", "--dest", "org.a11y.Bus", "--object-path", "/org/a11y/bus",
      "--method", "org.a11y.Bus.GetAddress")
    variables = [
      "GTK_A11Y": "atspi", "AT_SPI_BUS_ADDRESS": String(address.split(separator: "'")[1]),
    ]
  }

  private func read(_ words: String...) throws -> String {
    let program = Peer.folder.appending(path: "accessible-tree").path
    return try TestProgram.run(
      ["timeout", "60", program, "dragboard-shelf"] + words,
      desk.environment.merging(variables) { $1 })
  }

  /// Whether GTK has announcements, which it has since 4.14.
  static let hasAnnouncements: Bool = {
    guard let toolkit = dlopen("libgtk-4.so.1", RTLD_LAZY) else { return false }
    return dlsym(toolkit, "gtk_accessible_announce") != nil
  }()

  /// Starts a program that prints each announcement.
  func listen() throws -> TestProgram {
    let program = try TestProgram(
      [Peer.folder.appending(path: "announcements").path],
      desk.environment.merging(variables) { $1 })
    guard program.nextLine() == "ready" else {
      throw TestProgram.Failure(description: "the announcements cannot be read")
    }
    return program
  }

  /// Returns the visible objects from top to bottom, the objects of the latest window first.
  func controls() throws -> [Control] {
    try read().split(separator: "\n").compactMap(Control.init)
  }

  /// Returns the object with the keyboard focus.
  func focus() throws -> Control? { try controls().first { $0.states.contains("focused") } }

  /// Waits for a control, and clicks it.
  func click(_ role: String, _ name: String, line: Int = #line) async throws {
    try await desk.until(line: line) { (try? read(role, name)) != nil }
  }

  /// Waits until an object fulfils a condition, and returns all objects.
  @discardableResult
  func until(line: Int = #line, has isRight: (Control) -> Bool) async throws -> [Control] {
    var controls: [Control] = []
    try await desk.until(line: line) {
      controls = try self.controls()
      return controls.contains(where: isRight)
    }
    return controls
  }

  /// Waits for an object that has this role and a name with this beginning; returns the object.
  @discardableResult
  func wait(for role: String, _ name: String, line: Int = #line) async throws -> Control {
    let isRight = { (control: Control) in control.role == role && control.name.hasPrefix(name) }
    guard let found = try await until(line: line, has: isRight).first(where: isRight) else {
      throw TestProgram.Failure(description: "line \(line): no \(role) \(name)")
    }
    return found
  }

  /// Closes a menu with Escape, and waits until the menu is gone, because it receives all keys
  /// until then.
  func closeMenu(with entry: String, line: Int = #line) async throws {
    try desk.press("Escape")
    try await desk.until(line: line) {
      try !controls().contains { $0.role == "menu item" && $0.name == entry }
    }
  }

  /// Presses Tab until an object with this name has the focus.
  ///
  /// If `role` is nil, the object can have any role.
  func tab(to name: String, role: String? = nil, by key: String = "Tab") throws {
    for _ in 1...60 {
      if let focus = try focus(), focus.name == name, role == nil || focus.role == role { return }
      try desk.run("xdotool", "key", key, "sleep", "0.1")
    }
    throw TestProgram.Failure(description: "\(key) does not reach \(name)")
  }
}
