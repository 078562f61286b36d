import Foundation
import TestSupport
import Testing

/// The kinds of displays.
///
/// Each has a server that needs no monitor.
enum Display: String, CaseIterable, CustomTestStringConvertible {
  case x11
  /// X11 with a window manager, which gives windows the focus.
  case openbox
  /// The compositor of these tests, which supports only `ext-data-control-v1`.
  case ext
  case sway
  case labwc
  case kwin
  case mutter
  /// A stub of Mutter's service. A test can lock its screen.
  case lockableMutter
  case gnomeShell
  /// GNOME Shell with Dragboard's extension.
  case gnomeExtension

  /// The displays on which the tests run: those in `DRAGBOARD_TEST_DISPLAYS`; by default those that
  /// start fast.
  static let all: [Display] = {
    let names = ProcessInfo.processInfo.environment["DRAGBOARD_TEST_DISPLAYS"] ?? "x11 ext"
    return names.split(separator: " ").compactMap { Display(rawValue: String($0)) }
  }()

  /// The displays on which programs can show windows.
  static let withWindows = all.filter {
    [.x11, .openbox, .sway, .labwc, .kwin, .mutter, .gnomeShell].contains($0)
  }

  var testDescription: String { rawValue }

  /// The displays that report the application of a copy.
  static let withFocus = all.filter {
    [.x11, .sway, .labwc, .kwin, .gnomeExtension].contains($0)
  }

  /// Whether the clipboard is Mutter's.
  var isMutter: Bool { [.mutter, .gnomeShell, .gnomeExtension].contains(self) }

  /// The bridge's backends on this display, in GLib's text format.
  ///
  /// Later versions of sway and labwc have the newer protocol, which the bridge prefers.
  var backends: [String] {
    let names =
      switch self {
      case .x11, .openbox: ["x11"]
      case .ext: ["ext-data-control-v1"]
      case .sway, .labwc, .kwin: ["ext-data-control-v1", "wlr-data-control-unstable-v1"]
      case .mutter, .lockableMutter, .gnomeShell, .gnomeExtension: ["mutter"]
      }
    return names.map { "<'\($0)'>" }
  }

  /// Starts the server, by the program `Desktop/Tests/display`.
  ///
  /// If the environment names an X display, the server uses the same name.
  ///
  /// - Returns: the server, and the environment of programs on the display.
  func start(_ environment: [String: String]) throws -> (TestProgram, [String: String]) {
    if self == .lockableMutter { return try startLockableMutter(environment) }
    // On a busy machine, GNOME Shell sometimes does not finish its start.
    for _ in 1...3 {
      if let started = try startOnce(environment) { return started }
    }
    throw TestProgram.Failure(description: "\(rawValue) did not start")
  }

  /// Starts the server; returns nil if it does not become ready.
  private func startOnce(
    _ environment: [String: String]
  ) throws -> (TestProgram, [String: String])? {
    let program = Checkout.path("Desktop/Tests/display")
    let hasExtension = self == .gnomeExtension
    let server = try TestProgram(
      [program, hasExtension ? Display.gnomeShell.rawValue : rawValue, "640x480", "--here"],
      hasExtension ? environment.merging(["DISPLAY_EXTENSION": "yes"]) { $1 } : environment)
    var own: [String: String] = [:]
    while let line = server.nextLine() {
      if line == "ready" { return (server, environment.merging(own) { $1 }) }
      let parts = line.split(separator: "=", maxSplits: 1)
      own[String(parts[0])] = parts.count == 2 ? String(parts[1]) : ""
    }
    return nil
  }

  private func startLockableMutter(
    _ environment: [String: String]
  ) throws -> (TestProgram, [String: String]) {
    let server = try TestProgram([ClipboardDesk.peer("mutter-mock")], environment, hasInput: true)
    try ClipboardDesk.wait(for: "org.gnome.Mutter.RemoteDesktop", environment)
    return (server, environment.merging(["WAYLAND_DISPLAY": "none"]) { $1 })
  }
}
