import Foundation
import TestSupport
import Testing

/// The kinds of displays.
///
/// Each has a server that needs no monitor.
enum Display: String, CaseIterable, CustomTestStringConvertible {
  case x11
  /// The compositor of these tests, which supports only `ext-data-control-v1`.
  case ext
  case sway
  case mutter
  /// A stub of Mutter's service. A test can lock its screen.
  case lockableMutter
  case gnomeShell

  /// The displays on which the tests run: those in `DRAGBOARD_TEST_DISPLAYS`; by default those that
  /// start fast.
  static let all: [Display] = {
    let names = ProcessInfo.processInfo.environment["DRAGBOARD_TEST_DISPLAYS"] ?? "x11 ext"
    return names.split(separator: " ").compactMap { Display(rawValue: String($0)) }
  }()

  /// The displays on which programs can show windows.
  static let withWindows = all.filter { [.x11, .sway, .mutter].contains($0) }

  var testDescription: String { rawValue }

  /// The name of the bridge's backend on this display.
  var backend: String {
    switch self {
    case .x11: "x11"
    case .ext: "ext-data-control-v1"
    case .sway: "wlr-data-control-unstable-v1"
    case .mutter, .lockableMutter, .gnomeShell: "mutter"
    }
  }

  /// Starts the server.
  ///
  /// If the environment names a display, the server uses the same name.
  ///
  /// - Returns: the server, and the environment of programs on the display.
  func start(
    in home: URL, _ environment: [String: String]
  ) async throws -> (TestProgram, [String: String]) {
    switch self {
    case .x11: try startX(environment)
    case .ext: try startExt(environment)
    case .sway: try await startSway(in: home, environment)
    case .mutter:
      try startMutter(
        [
          "mutter", "--wayland", "--headless", "--no-x11", "--virtual-monitor", "640x480",
          "--wayland-display=wl-test",
        ], as: "org.gnome.Mutter.RemoteDesktop", environment)
    case .gnomeShell:
      try startMutter(
        [ClipboardDesk.peer("gnome-shell")], as: "org.gnome.Shell.ScreenShield", environment)
    case .lockableMutter: try startLockableMutter(environment)
    }
  }

  private func startX(_ environment: [String: String]) throws -> (TestProgram, [String: String]) {
    // A high number is unlikely to be taken by another test while the server is down.
    let display = environment["DISPLAY"] ?? ":\(Int.random(in: 1_000...50_000))"
    let server = try TestProgram(
      [
        "Xvfb", display, "-displayfd", "1", "-screen", "0", "640x480x24", "-noreset", "-nolisten",
        "tcp",
      ], environment)
    guard server.nextLine() != nil else {
      throw TestProgram.Failure(description: "Xvfb did not start")
    }
    let own = ["DISPLAY": display, "GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb"]
    return (server, environment.merging(own) { $1 })
  }

  private func startExt(_ environment: [String: String]) throws -> (TestProgram, [String: String]) {
    let server = try TestProgram(["ext-compositor"], environment)
    guard let name = server.nextLine() else {
      throw TestProgram.Failure(description: "ext-compositor did not start")
    }
    return (server, environment.merging(["WAYLAND_DISPLAY": name]) { $1 })
  }

  /// The environment of programs on a Wayland display.
  private static func wayland(_ name: String) -> [String: String] {
    ["WAYLAND_DISPLAY": name, "GDK_BACKEND": "wayland", "QT_QPA_PLATFORM": "wayland"]
  }

  /// Sway refuses to run as root.
  private func startSway(
    in home: URL, _ environment: [String: String]
  ) async throws -> (TestProgram, [String: String]) {
    let folder = home.appending(path: "sway")
    let isRoot = geteuid() == 0
    try? FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: isRoot ? 0o777 : 0o700])
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.path)
    let configuration = folder.appending(path: "config")
    try Data("output HEADLESS-1 resolution 640x480\nxwayland disable\n".utf8)
      .write(to: configuration)
    let user =
      isRoot ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "env"] : ["env"]
    let server = try TestProgram(
      user + [
        "-i", "PATH=/usr/bin:/bin", "HOME=\(folder.path)", "XDG_RUNTIME_DIR=\(folder.path)",
        "WLR_BACKENDS=headless", "WLR_LIBINPUT_NO_DEVICES=1", "WLR_RENDERER=pixman", "sway", "-c",
        configuration.path,
      ], environment)
    var socket: String?
    try await ClipboardDesk.until {
      socket = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .first { $0.hasPrefix("wayland-") && !$0.hasSuffix(".lock") }
      return socket != nil
    }
    let path = folder.appending(path: socket ?? "").path
    return (server, environment.merging(Self.wayland(path)) { $1 })
  }

  private func startLockableMutter(
    _ environment: [String: String]
  ) throws -> (TestProgram, [String: String]) {
    let server = try TestProgram([ClipboardDesk.peer("mutter-mock")], environment, input: Pipe())
    try ClipboardDesk.wait(for: "org.gnome.Mutter.RemoteDesktop", environment)
    return (server, environment.merging(["WAYLAND_DISPLAY": "none"]) { $1 })
  }

  /// Runs a command that starts Mutter, and waits for a name on the bus.
  private func startMutter(
    _ command: [String], as name: String, _ environment: [String: String]
  ) throws -> (TestProgram, [String: String]) {
    let own = ["GSETTINGS_BACKEND": "memory", "LIBGL_ALWAYS_SOFTWARE": "1"]
    let environment = environment.merging(own) { $1 }
    let server = try TestProgram(command, environment)
    try ClipboardDesk.wait(for: name, environment)
    return (server, environment.merging(Self.wayland("wl-test")) { $1 })
  }
}
