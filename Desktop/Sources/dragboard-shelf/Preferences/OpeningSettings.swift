import CGtk4
import CShelf
import ShelfModel

/// The settings of the opening at drags of other programs.
final class OpeningSettings {
  private let toggle: Toggle
  private let delay: Choice
  private let exceptions: Widget
  private var delays: [Duration] = []

  /// The delays that the user can choose.
  private static let choices = [0, 200, 500, 1_000].map { Duration.milliseconds($0) }

  /// Shows the settings in rows.
  ///
  /// - Parameters:
  ///   - row: the row of the switch, which shows the reason if the opening is impossible.
  ///   - toggle: the switch.
  ///   - delay: the row of the delay.
  ///   - exceptions: the entry with the excluded programs.
  ///   - set: called when the user has turned the switch.
  init(
    row: Widget, toggle: Widget, delay: Widget, exceptions: Widget, set: @escaping (Bool) -> Void
  ) {
    self.toggle = Toggle(toggle)
    self.delay = Choice(delay)
    self.exceptions = exceptions
    self.toggle.onChange = set
    self.delay.onChange = { [weak self] index in
      guard let self, delays.indices ~= index else { return }
      ShelfSettings.openingDelay = delays[index]
    }
    connect(exceptions, "apply") { [weak self] _ in self?.setExceptions() }
    let isPossible = DragOpener.isPossible
    adw_action_row_set_subtitle(
      row.of(),
      (isPossible ? localized("Beside the pointer, or at the screen edge") : Self.needs)
        .escapingMarkup)
    for part in [row, delay, exceptions] { gtk_widget_set_sensitive(part, isPossible ? 1 : 0) }
    gtk_widget_set_tooltip_text(
      exceptions, localized("Names of programs, separated by commas; * stands for any characters"))
    show()
  }

  /// The requirements, as the user reads them.
  private static let needs = localized(
    "This needs X11, GNOME with the extension of Dragboard, or gtk4-layer-shell and a Wayland compositor that supports layers."
  )

  /// Shows the stored settings.
  func show() {
    toggle.show(ShelfSettings.opensForDrags)
    let stored = ShelfSettings.openingDelay
    delays = Self.choices.contains(stored) ? Self.choices : (Self.choices + [stored]).sorted()
    delay.show(delays.map(Self.text), chosen: delays.firstIndex(of: stored) ?? 0)
    shelf_set_text(exceptions.object, ShelfSettings.quietApplications.joined(separator: ", "))
  }

  private func setExceptions() {
    let text = shelf_text(exceptions.object).map { String(cString: $0) } ?? ""
    ShelfSettings.quietApplications = text.split(separator: ",").compactMap { name in
      let name = name.trimmingPrefix { $0.isWhitespace }.reversed().drop { $0.isWhitespace }
      return name.isEmpty ? nil : String(name.reversed())
    }
    show()
  }

  private static func text(of delay: Duration) -> String {
    guard delay > .zero else { return localized("None") }
    let seconds = delay / .seconds(1)
    return localized("%1 s", seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)")
  }
}
