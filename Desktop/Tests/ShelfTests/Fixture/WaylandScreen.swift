import Foundation
import TestSupport

/// A display of sway without a monitor, which `SWAYSOCK` and `WAYLAND_DISPLAY` identify.
final class WaylandScreen: Screen {
  let environment = [
    "GDK_BACKEND": "wayland", "QT_QPA_PLATFORM": "wayland", "MOZ_ENABLE_WAYLAND": "1",
  ]
  private static let variables = ProcessInfo.processInfo.environment
  private let pointer: TestProgram
  private let input = Pipe()

  /// Whether the tests were started on a display of sway.
  static var isUsed: Bool { variables["SWAYSOCK"] != nil }

  /// Starts a virtual pointer on the display.
  ///
  /// - Throws: an error if the program of the pointer cannot be started.
  init(pointer program: String) throws {
    pointer = try TestProgram([program, "1000", "700"], Self.variables, input: input)
  }

  func place(windowTitled title: String, at corner: Point, width: Int, height: Int) throws -> String
  {
    let window = "[title=\"\(title)\"]"
    let wait = "until swaymsg '\(window) floating enable' >/dev/null 2>&1; do sleep 0.05; done"
    try TestProgram.run(["timeout", "30", "sh", "-c", wait], Self.variables)
    // Some applications resize their window again after it is shown.
    let frame = "\(width)x\(height)+\(corner.x)+\(corner.y)"
    for _ in 1...100 {
      try send(
        "\(window) border none, resize set \(width) \(height), move absolute position \(corner.x) \(corner.y)"
      )
      try TestProgram.run(["sleep", "0.1"], Self.variables)
      if try frames().contains(frame) { return window }
    }
    throw TestProgram.Failure(description: "\(title) does not go where it is put")
  }

  /// Returns the positions and sizes of all floating windows: `380x560+0+0`.
  private func frames() throws -> [String] {
    let tree = try TestProgram.run(["swaymsg", "-r", "-t", "get_tree"], Self.variables)
    let root = try JSONDecoder().decode(Node.self, from: Data(tree.utf8))
    return root.windows.map { "\($0.width)x\($0.height)+\($0.x)+\($0.y)" }
  }

  /// The relevant part of sway's description of a container.
  private struct Node: Decodable {
    struct Frame: Decodable {
      let x, y, width, height: Int
    }

    let rect: Frame
    let nodes: [Node]
    let floating_nodes: [Node]

    var windows: [Frame] {
      floating_nodes.map(\.rect) + (nodes + floating_nodes).flatMap(\.windows)
    }
  }

  func title(of window: String) throws -> String {
    try TestProgram.run(["swaymsg", "-t", "get_tree"], Self.variables)
  }

  func focus(_ window: String) throws { try send("\(window) focus") }

  func press(_ keys: [String], in window: String) throws {
    try focus(window)
    for key in keys {
      let names = key.split(separator: "+").map(String.init)
      let held = names.dropLast().flatMap { ["-M", $0] }
      try TestProgram.run(["wtype"] + held + ["-k", names[names.count - 1]], Self.variables)
    }
  }

  func perform(_ motions: [Motion]) throws {
    for motion in motions {
      guard let line = Self.line(for: motion) else { continue }
      try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
      guard pointer.nextLine() == "ok" else {
        throw TestProgram.Failure(description: "the pointer does not do: \(line)")
      }
    }
  }

  func picture(to path: String) throws { try TestProgram.run(["grim", path], Self.variables) }

  private func send(_ command: String) throws {
    try TestProgram.run(["swaymsg", command], Self.variables)
  }

  /// Returns the line for the virtual pointer; nil for keys, which sway ignores during a drag.
  private static func line(for motion: Motion) -> String? {
    switch motion {
    case .move(let (x, y)): "move \(x) \(y)"
    case .press: "press"
    case .release: "release"
    case .holdKey, .releaseKey: nil
    case .rest(let time): "rest \(Int(time / .milliseconds(1)))"
    }
  }
}
