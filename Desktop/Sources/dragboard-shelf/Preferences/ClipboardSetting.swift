import CGtk4
import ClipboardModel
import DragboardClient
import Logging
import ShelfModel

/// The switch of the clipboard bridge.
///
/// It runs the command `dragboard`, which can start the bridge and explains why the bridge cannot
/// start.
final class ClipboardSetting {
  /// The further settings of the bridge.
  struct Details {
    /// The row of selected text.
    let selections: Widget
    /// The switch of selected text.
    let toggle: Toggle
    /// The row of the permission to paste.
    let pasting: Widget
    /// The switch of the permission to paste.
    let pastingToggle: Toggle
    /// The settings that show the exclusions.
    let exclusions: ExclusionSettings
    /// Shows errors.
    let report: Report
  }

  private let row: Widget
  private let toggle: Toggle
  private let details: Details?
  private let connection: DragboardConnection
  /// The number of the latest choice about the permission to paste.
  private var latestChoice = 0

  /// Creates the switch in a row that shows the state of the bridge.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - toggle: the switch.
  ///   - details: the further settings, if any.
  ///   - connection: the connection to the bus.
  init(
    row: Widget, toggle: Widget, details: Details? = nil, on connection: DragboardConnection
  ) {
    (self.row, self.details, self.connection) = (row, details, connection)
    self.toggle = Toggle(toggle)
    self.toggle.onChange = { [weak self] in self?.set($0) }
    details?.toggle.onChange = { [weak self] in self?.store(selections: $0) }
    details?.pastingToggle.onChange = { [weak self] in self?.allow(pasting: $0) }
    gtk_widget_set_sensitive(row, 0)
    show(nil)
    Task { await read() }
  }

  private func set(_ isOn: Bool) {
    gtk_widget_set_sensitive(row, 0)
    Task {
      let result = await Self.run("dragboard", ["clipboard", isOn ? "enable" : "disable"])
      await read()
      guard let result, !result.isDone else { return }
      // The output names the service manager's unit, which is for programmers.
      log.warning("\(result.output)")
      adw_action_row_set_subtitle(
        row.of(),
        localized(
          "The clipboard bridge could not be switched. The command “dragboard doctor” finds the reason."
        )
        .escapingMarkup)
    }
  }

  private func store(selections: Bool) {
    Task {
      do { try await connection.clipboard.setStoresSelections(selections) } catch {
        details?.report(error)
      }
      await read()
    }
  }

  /// Lets the desktop ask for the permission to paste, or revokes it, also while the desktop asks.
  private func allow(pasting: Bool) {
    latestChoice += 1
    let choice = latestChoice
    Task {
      do throws(DragboardError) {
        if pasting {
          try await connection.clipboard.allowPasting()
        } else {
          try await connection.clipboard.forbidPasting()
        }
      } catch {
        if choice == latestChoice {
          if let obstacle = PasteObstacle(rawValue: error.message) {
            details?.report(localized(obstacle.rawValue))
          } else {
            details?.report(error)
          }
        }
      }
      if choice == latestChoice { await read() }
    }
  }

  /// Shows the further settings of a bridge, which cannot be changed if it does not run.
  private func show(_ info: ClipboardBridge.Info?) {
    guard let details else { return }
    details.exclusions.show(info)
    details.toggle.show(info?.storesSelections ?? false)
    let permission = info?.pastePermission ?? .notNeeded
    details.pasting.show(permission != .notNeeded)
    details.pastingToggle.show(permission == .granted)
    // GNOME on Wayland reports selected text to no program.
    let isPossible = info.map { $0.backend != "mutter" } ?? false
    gtk_widget_set_sensitive(details.selections, isPossible ? 1 : 0)
  }

  /// Shows the state of the bridge.
  private func read() async {
    do {
      let info = try await connection.clipboard.info()
      show(info)
      let isPaused = info.isPaused
      show(
        isPaused
          ? localized("Paused") : localized("Copies become rows of the board “%1”", Self.boardName),
        isOn: true)
    } catch  where error.reason == .noClipboard {
      show(nil)
      await examine()
    } catch {
      show(error.reason.words, isOn: false, isAvailable: false)
    }
  }

  /// Shows whether a bridge that is not running could run on this display.
  private func examine() async {
    guard let result = await Self.run("dragboard-clipboard", ["--check"]) else {
      return show(
        localized("The clipboard bridge is not installed."), isOn: false, isAvailable: false)
    }
    show(localized("Off"), isOn: false, isAvailable: result.isDone)
    if !result.isDone { explain(result.output) }
  }

  private func show(_ text: String, isOn: Bool, isAvailable: Bool = true) {
    adw_action_row_set_subtitle(row.of(), text.escapingMarkup)
    toggle.show(isOn)
    gtk_widget_set_sensitive(row, isAvailable ? 1 : 0)
  }

  /// Shows the message of a program, without the program's name.
  private func explain(_ output: String) {
    let lines = output.split(separator: "\n").map { line in
      line.firstRange(of: ": ").map { String(line[$0.upperBound...]) } ?? String(line)
    }
    let text =
      lines.isEmpty ? localized("The operation has failed.") : lines.joined(separator: "\n")
    adw_action_row_set_subtitle(row.of(), text.escapingMarkup)
  }

  private static let boardName = ClipboardBridge.boardName

  private static func run(
    _ name: String, _ arguments: [String]
  ) async -> (isDone: Bool, output: String)? {
    guard let path = Programs.find(name) else { return nil }
    return await Programs.run(path, arguments)
  }
}
