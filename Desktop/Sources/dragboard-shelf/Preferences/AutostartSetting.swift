import CGtk4
import Files
import Glibc

/// The switch of the start at login.
final class AutostartSetting {
  private let toggle: Toggle
  private let report: Report

  /// Creates the setting.
  ///
  /// - Parameters:
  ///   - toggle: the switch.
  ///   - report: shows errors.
  init(_ toggle: Widget, report: Report) {
    self.toggle = Toggle(toggle)
    self.report = report
    self.toggle.onChange = { [weak self] in self?.set($0) }
    show()
  }

  private func set(_ isOn: Bool) {
    do {
      guard let autostart = ShelfAutostart() else { throw FileError(path: "HOME", code: ENOENT) }
      if isOn, let program = RunningProgram.own {
        try autostart.turnOn(starting: program.path)
      } else {
        try autostart.turnOff()
      }
    } catch { report(error) }
    show()
  }

  /// Shows whether the shelf starts at login.
  func show() { toggle.show(ShelfAutostart()?.isOn ?? false) }
}
