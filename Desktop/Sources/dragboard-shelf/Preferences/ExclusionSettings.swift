import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// The applications and windows whose copies are not stored, and the applications seen lately.
///
/// The bridge stores the exclusions, so they cannot be changed while it does not run.
final class ExclusionSettings {
  private let exclusions: Widget
  private let entry: Widget
  private let recent: Widget
  private let connection: DragboardConnection
  private let report: Report
  private var info: ClipboardBridge.Info?
  /// The rows that are shown, each with the row that contains it.
  private var rows: [(parent: Widget, row: Widget)] = []

  /// Shows the lists in rows that the user can expand.
  ///
  /// - Parameters:
  ///   - exclusions: the row with the exclusions.
  ///   - entry: the entry for another application.
  ///   - recent: the row with the applications seen lately.
  ///   - connection: the connection to the bus.
  ///   - report: shows errors.
  init(
    _ exclusions: Widget, entry: Widget, recent: Widget, on connection: DragboardConnection,
    report: Report
  ) {
    (self.exclusions, self.entry, self.recent) = (exclusions, entry, recent)
    (self.connection, self.report) = (connection, report)
    gtk_widget_set_tooltip_text(
      entry, localized("The name of a program or an application; * stands for any characters"))
    connect(entry, "apply") { [weak self] _ in self?.addTyped() }
    show(nil)
  }

  /// Shows the exclusions of a bridge; none if it does not run.
  func show(_ info: ClipboardBridge.Info?) {
    self.info = info
    for (parent, row) in rows { adw_expander_row_remove(parent.of(), row) }
    rows = []
    for part in [exclusions, recent] { gtk_widget_set_sensitive(part, info == nil ? 0 : 1) }
    guard let info else { return adw_expander_row_set_subtitle(exclusions.of(), "") }
    adw_expander_row_set_subtitle(
      exclusions.of(),
      (info.applicationReports == nil ? Self.missing : localized("Their copies are not stored"))
        .escapingMarkup)
    for pattern in info.excludedApplications {
      add(pattern, to: exclusions, "list-remove-symbolic", localized("Remove “%1”", pattern)) {
        [weak self] in
        self?.set(applications: info.excludedApplications.filter { $0 != pattern })
      }
    }
    for pattern in info.excludedWindows {
      add(
        pattern, localized("Windows with this title"), to: exclusions, "list-remove-symbolic",
        localized("Remove “%1”", pattern)
      ) { [weak self] in self?.set(windows: info.excludedWindows.filter { $0 != pattern }) }
    }
    let others = info.recentApplications.filter { !info.excludedApplications.contains($0) }
    for name in others {
      add(name, to: recent, "list-add-symbolic", localized("Exclude “%1”", name)) { [weak self] in
        self?.set(applications: info.excludedApplications + [name])
      }
    }
    recent.show(!others.isEmpty)
  }

  /// The reason why exclusions of applications have no effect.
  private static let missing = localized(
    "This desktop does not report the application of a copy. On GNOME, the extension of Dragboard does."
  )

  private func add(
    _ name: String, _ explanation: String = "", to parent: Widget, _ icon: String, _ label: String,
    _ action: @escaping () -> Void
  ) {
    let row = made(adw_action_row_new())
    adw_preferences_row_set_title(row.of(), ShownText.line(name).escapingMarkup)
    adw_action_row_set_subtitle(row.of(), explanation.escapingMarkup)
    let button = Make.button(
      icon: icon, label: ShownText.line(label), classes: "flat", action: action)
    gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
    adw_action_row_add_suffix(row.of(), button)
    adw_expander_row_add_row(parent.of(), row)
    rows.append((parent, row))
  }

  private func addTyped() {
    let text = shelf_text(entry.object).map { String(cString: $0) } ?? ""
    let reversed = text.trimmingPrefix { $0.isWhitespace }.reversed().drop { $0.isWhitespace }
    guard let info, !reversed.isEmpty else { return }
    shelf_set_text(entry.object, "")
    set(applications: info.excludedApplications + [String(reversed.reversed())])
  }

  private func set(applications: [String]? = nil, windows: [String]? = nil) {
    Task {
      do {
        let bridge = connection.clipboard
        if let applications { try await bridge.setExcludedApplications(applications) }
        if let windows { try await bridge.setExcludedWindows(windows) }
      } catch { report(error) }
      let hadFocus =
        gtk_widget_get_focus_child(exclusions) != nil || gtk_widget_get_focus_child(recent) != nil
      show(try? await connection.clipboard.info())
      // The button that had the focus is gone. The row itself cannot have the focus, but its parts can.
      if hadFocus { gtk_widget_child_focus(exclusions, GTK_DIR_TAB_FORWARD) }
    }
  }
}
