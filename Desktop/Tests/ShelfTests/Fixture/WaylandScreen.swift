import Foundation
import TestSupport

/// A Wayland display that `Desktop/Tests/display` has started, by the program `Desktop/Tests/screen`.
final class WaylandScreen: Screen {
  let environment = [
    "GDK_BACKEND": "wayland", "QT_QPA_PLATFORM": "wayland", "MOZ_ENABLE_WAYLAND": "1",
  ]
  private static let variables = ProcessInfo.processInfo.environment
  private let program: TestProgram

  /// The kind of the display; nil if the tests were started on another display.
  static let kind = variables["WAYLAND_DISPLAY"] == nil ? nil : variables["DISPLAY_KIND"]

  /// Whether the tests were started on a Wayland display.
  static var isUsed: Bool { kind != nil }

  /// Whether no program can choose the position of its window: GNOME has no layers, and other
  /// compositors need a library.
  static let hasNoLayers =
    ["mutter", "gnomeShell"].contains(kind)
    || isUsed && dlopen("libgtk4-layer-shell.so.0", RTLD_LAZY) == nil

  /// Starts the program of the display.
  ///
  /// - Parameter products: the directory of the program `virtual-pointer`.
  /// - Throws: an error if the program cannot be started.
  init(products: String) throws {
    let path = "\(products):\(Self.variables["PATH"] ?? "/usr/bin:/bin")"
    program = try TestProgram(
      [Checkout.path("Desktop/Tests/screen")], Self.variables.merging(["PATH": path]) { $1 },
      hasInput: true)
  }

  func place(windowTitled title: String, at corner: Point, width: Int, height: Int) throws -> String
  {
    try send("place \(corner.x) \(corner.y) \(width) \(height) \(title)")
    return title
  }

  /// Returns the position and the size of a window; nil if there is no such window.
  func frame(of title: String) throws -> (x: Int, y: Int, width: Int, height: Int)? {
    let numbers = try send("frame \(title)").split(separator: " ").compactMap { Int($0) }
    return numbers.count == 4 ? (numbers[0], numbers[1], numbers[2], numbers[3]) : nil
  }

  func title(of window: String) throws -> String { try send("title \(window)") }

  func focus(_ window: String) throws { try send("focus \(window)") }

  func press(_ keys: [String], in window: String) throws {
    try focus(window)
    for key in keys { try send("key \(key)") }
  }

  func perform(_ motions: [Motion]) throws {
    for motion in motions {
      if let line = Self.line(for: motion) { try send(line) }
    }
  }

  func picture(to path: String) throws { try send("picture \(path)") }

  /// Sends a line to the program, and returns the result.
  @discardableResult
  private func send(_ line: String) throws -> String {
    try program.send(line)
    let answer = program.nextLine() ?? "nothing"
    guard answer.hasPrefix("ok") else {
      throw TestProgram.Failure(description: "\(line): \(answer)")
    }
    return String(answer.dropFirst(3))
  }

  /// Returns the line for a motion; nil for keys, which compositors ignore during a drag.
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
