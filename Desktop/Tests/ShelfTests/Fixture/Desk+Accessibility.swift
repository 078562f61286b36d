import Foundation

/// An object of the shelf's windows, as a screen reader reads it.
struct Control: CustomStringConvertible {
  /// Its depth in the tree.
  let depth: Int
  /// Its role, as AT-SPI names it: `push button`.
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

extension Desk {
  /// Starts the bus of screen readers.
  ///
  /// - Returns: the variables that connect a program to this bus.
  func accessibility() throws -> [String: String] {
    let address = try run(
      "gdbus", "call", "--session", "--dest", "org.a11y.Bus", "--object-path", "/org/a11y/bus",
      "--method", "org.a11y.Bus.GetAddress")
    return [
      "GTK_A11Y": "atspi", "AT_SPI_BUS_ADDRESS": String(address.split(separator: "'")[1]),
    ]
  }

  /// Returns the objects of a shelf that uses these variables, from top to bottom.
  func controls(_ variables: [String: String]) throws -> [Control] {
    try readTree([], variables).split(separator: "\n").compactMap(Control.init)
  }

  /// Clicks a control of a shelf that uses these variables.
  func click(_ role: String, _ name: String, _ variables: [String: String]) throws {
    try readTree([role, name], variables)
  }

  @discardableResult
  private func readTree(_ words: [String], _ variables: [String: String]) throws -> String {
    try Program.run(
      [Peer.folder.appending(path: "accessible-tree").path, "dragboard-shelf"] + words,
      environment.merging(variables) { $1 })
  }

  /// Waits until a shelf that uses these variables has an object that meets a condition.
  ///
  /// - Returns: all objects.
  @discardableResult
  func until(
    _ variables: [String: String], line: Int = #line, has isRight: (Control) -> Bool
  ) async throws -> [Control] {
    var controls: [Control] = []
    try await until(line: line) {
      controls = try self.controls(variables)
      return controls.contains(where: isRight)
    }
    return controls
  }
}
