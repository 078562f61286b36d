import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// The settings window.
final class SettingsWindow {
  /// The AdwPreferencesWindow.
  let widget: Widget
  private let parts = Interface(PackageResources.settings_ui)
  private let connection: DragboardConnection
  private let boards: BoardOrder
  private let autostart: AutostartSetting
  private let clipboard: ClipboardSetting
  private let opening: OpeningSettings
  private let shortcut: ShortcutSetting
  private let machines: MachinesPage
  private let setEdge: (ScreenSide?) -> Void
  private var following: Task<Void, Never>?
  private var isShowing = false

  /// The choices for the screen's edge, in the order of the list.
  private static let sides: [ScreenSide?] = [nil, .left, .right]

  /// Creates the window.
  ///
  /// - Parameters:
  ///   - connection: the connection to the bus.
  ///   - setEdge: moves the shelf to a side of the screen.
  ///   - setOpensForDrags: sets whether the shelf opens for drags.
  ///   - setShortcut: sets whether a shortcut opens the picker.
  ///   - didReorder: called when the order of the boards has changed.
  init(
    on connection: DragboardConnection, setEdge: @escaping (ScreenSide?) -> Void,
    setOpensForDrags: @escaping (Bool) -> Void, setShortcut: @escaping (Bool) -> Void,
    didReorder: @escaping () -> Void
  ) {
    let widget = parts["settings"]
    let report = Report {
      adw_preferences_window_add_toast(widget.of(), Toast.make($0, $1))
    }
    self.widget = widget
    self.connection = connection
    self.setEdge = setEdge
    boards = BoardOrder(parts["boards"], report: report, didReorder: didReorder)
    opening = OpeningSettings(
      row: parts["opening"], toggle: parts["opening_switch"], delay: parts["opening_delay"],
      exceptions: parts["opening_exceptions"], set: setOpensForDrags)
    shortcut = ShortcutSetting(
      row: parts["shortcut"], toggle: parts["shortcut_switch"], set: setShortcut)
    autostart = AutostartSetting(parts["autostart_switch"], report: report)
    clipboard = ClipboardSetting(
      row: parts["clipboard"], toggle: parts["clipboard_switch"],
      details: .init(
        selections: parts["selections"], toggle: Toggle(parts["selections_switch"]),
        pasting: parts["pasting"], pastingToggle: Toggle(parts["pasting_switch"]),
        exclusions: ExclusionSettings(
          parts["exclusions"], entry: parts["exclusion_name"],
          recent: parts["recent_applications"], on: connection, report: report), report: report),
      on: connection)
    machines = MachinesPage(parts, over: widget)
    gtk_widget_add_css_class(widget, "shelf")
    show(edge: ShelfSettings.edge)
    connect(parts["edge"], "notify::selected") { [weak self] _ in self?.didChooseEdge() }
    connect(parts["keys"], "activated") { _ in AboutShelf.showKeys(over: widget) }
    answer(widget, "close-request") { [weak self] _ in
      .handled(self?.applyBeforeClosing() ?? false)
    }
    follow()
  }

  /// Shows the settings window over another window.
  func present(over window: Widget) {
    gtk_window_set_transient_for(widget.of(), window.of())
    gtk_window_present(widget.of())
  }

  /// Applies texts that the user has typed but not applied, and then closes the window.
  ///
  /// The window stays open if a text is refused, or if the user is asked a question.
  ///
  /// - Returns: whether the window must wait.
  private func applyBeforeClosing() -> Bool {
    guard boards.hasPending else { return false }
    Task { [weak self] in
      guard let self, await boards.applyPending() else { return }
      gtk_window_close(widget.of())
    }
    return true
  }

  /// Stops following the boards.
  func close() {
    following?.cancel()
    machines.close()
  }

  /// Shows the side of the screen, or the reason why the shelf cannot be at an edge.
  func show(edge: ScreenSide?) {
    isShowing = true
    adw_combo_row_set_selected(
      parts["edge"].of(), guint(Self.sides.firstIndex(of: edge) ?? 0))
    isShowing = false
    let canSit = EdgePlacements.available(at: .left) != nil
    adw_action_row_set_subtitle(parts["edge"].of(), canSit ? "" : ShelfWindow.needs.escapingMarkup)
    // Even if no edge is possible, the user can remove a stored edge.
    gtk_widget_set_sensitive(parts["edge"], canSit || edge != nil ? 1 : 0)
  }

  /// Shows whether the shelf opens for drags.
  func showOpening() { opening.show() }

  /// Shows the shortcut of the picker; nil if it is off.
  func show(_ shortcut: PickerShortcut?) { self.shortcut.show(shortcut) }

  private func didChooseEdge() {
    let index = Int(adw_combo_row_get_selected(parts["edge"].of()))
    if !isShowing, Self.sides.indices.contains(index) { setEdge(Self.sides[index]) }
  }

  // MARK: Boards

  private func follow() {
    following = Task { [weak self, connection] in
      let events = await connection.events()
      await self?.readBoards()
      do {
        for try await event in events {
          switch event {
          case .boardAdded, .boardRemoved, .boardRenamed, .daemonCame, .missed:
            await self?.readBoards()
          case .daemonLeft, .dragBegan, .dragEnded: break
          }
        }
      } catch {}
    }
  }

  private func readBoards() async {
    guard let found = try? await connection.boards() else { return }
    boards.show(found.map { ($0.board, $0.info.name) })
    machines.boards = BoardTabs.sorted(found.map { ($0.board, $0.info.name) }).map(\.name)
  }
}
