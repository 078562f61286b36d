import Foundation
import TestSupport

/// An X display without a window manager, which xdotool controls.
struct XScreen: Screen {
  let environment = [
    "GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb", "MOZ_ENABLE_WAYLAND": "0",
  ]

  func place(windowTitled title: String, at corner: Point, width: Int, height: Int) throws -> String
  {
    let window = try Self.search(title)
    // Some applications move their window again after it is shown.
    for _ in 1...100 {
      try run("windowsize", window, "\(width)", "\(height)")
      try run("windowmove", window, "\(corner.x)", "\(corner.y)", "sleep", "0.1")
      let frame = try run("getwindowgeometry", window)
      if frame.contains(" \(corner.x),\(corner.y) "), frame.contains(" \(width)x\(height)") {
        return window
      }
    }
    throw TestProgram.Failure(description: "\(title) does not go where it is put")
  }

  /// Waits for a visible window whose title matches a regular expression, and returns its number.
  ///
  /// The option `--sync` of xdotool is not used, because nothing could end its wait: the children
  /// of a test's threads do not receive the signal of an alarm.
  static func search(_ title: String) throws -> String {
    let search = "xdotool search --onlyvisible --name \"$1\" && exit; sleep 0.05"
    let found = try TestProgram.run(
      ["sh", "-c", "for _ in $(seq 500); do \(search); done; exit 1", "sh", title], variables)
    return String(found.prefix { !$0.isNewline })
  }

  func title(of window: String) throws -> String { try run("getwindowname", window) }

  func focus(_ window: String) throws { try run("windowfocus", "--sync", window) }

  func press(_ keys: [String], in window: String) throws {
    try TestProgram.run(["xdotool", "windowfocus", window, "key"] + keys, Self.variables)
  }

  func perform(_ motions: [Motion]) throws {
    try TestProgram.run(["xdotool"] + motions.flatMap(Self.words), Self.variables)
  }

  func picture(to path: String) throws {
    try TestProgram.run(["import", "-window", "root", "-strip", path], Self.variables)
  }

  private static let variables = ProcessInfo.processInfo.environment

  @discardableResult
  private func run(_ words: String...) throws -> String {
    try TestProgram.run(["xdotool"] + words, Self.variables)
  }

  private static func words(for motion: Motion) -> [String] {
    switch motion {
    case .move(let (x, y)): ["mousemove", "\(x)", "\(y)"]
    case .press: ["mousedown", "1"]
    case .release: ["mouseup", "1"]
    case .holdKey(let key): ["keydown", key]
    case .releaseKey(let key): ["keyup", key]
    case .rest(let time): ["sleep", "\(time / .seconds(1))"]
    }
  }
}
