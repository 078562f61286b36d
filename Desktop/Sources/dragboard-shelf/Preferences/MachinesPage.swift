import CGtk4
import CShelf
import Logging
import ShelfModel

/// The page of the settings about other machines.
///
/// It runs the program `dragboard-link`, which has the keys.
final class MachinesPage {
  /// The names of the boards of this machine.
  var boards: [String] = [] { didSet { if boards != oldValue { show() } } }

  private let parts: Interface
  private let window: Widget
  private let exchange: Toggle
  private var following: Task<Void, Never>?
  private var state: LinkState?
  private var isInstalled = true
  private var isBusy = false
  /// The rows of both lists, and their state when they were made.
  private var rows: (machines: [Widget], boards: [Widget]) = ([], [])
  private var shown: (state: LinkState?, boards: [String])?

  /// The interval at which the state is read while the window is open.
  private static let interval = Duration.seconds(3)
  private static let program = "dragboard-link"

  /// Creates the page in a window.
  init(_ parts: Interface, over window: Widget) {
    (self.parts, self.window) = (parts, window)
    exchange = Toggle(parts["exchange_switch"])
    exchange.onChange = { [weak self] in self?.perform([$0 ? "resume" : "pause"]) }
    shelf_set_accessible_label(parts["machines"], localized("Machines"))
    shelf_set_accessible_label(parts["shared"], localized("Shared Boards"))
    connect(parts["ssh"], "apply") { [weak self] _ in
      guard let self else { return }
      perform(["with", "--", text(of: "ssh")], clearing: "ssh")
    }
    connect(parts["join"], "apply") { [weak self] _ in
      guard let self else { return }
      // Other users can see arguments, so the line is the input.
      perform(["join"], input: text(of: "join") + "\n", clearing: "join")
    }
    connect(parts["invite"], "activated") { [weak self] _ in self?.invite() }
    show()
    following = Task { [weak self] in
      while !Task.isCancelled {
        await self?.read()
        try? await Task.sleep(for: Self.interval)
      }
    }
  }

  /// Stops reading the state.
  func close() { following?.cancel() }

  private func text(of entry: String) -> String {
    shelf_text(parts[entry].object).map { String(cString: $0) } ?? ""
  }

  // MARK: State

  private func read() async {
    // The state is of no use while a command changes it, or while the window is hidden.
    guard !isBusy, shown == nil || gtk_widget_get_mapped(window) != 0 else { return }
    guard let path = Programs.find(Self.program) else {
      isInstalled = false
      return show()
    }
    isInstalled = true
    state = LinkState(await Programs.run(path, ["status"]).output)
    show()
  }

  private func show() {
    adw_action_row_set_subtitle(parts["exchange"].of(), words.escapingMarkup)
    exchange.show(state?.isRunning == true)
    gtk_widget_set_sensitive(parts["exchange"], state != nil && !isBusy ? 1 : 0)
    gtk_widget_set_sensitive(parts["adding"], isInstalled && !isBusy ? 1 : 0)
    for group in ["ssh", "join"] { parts[group].show(state == nil) }
    for group in ["machines_group", "shared_group"] { parts[group].show(state != nil) }
    guard shown?.state != state || shown?.boards != boards else { return }
    shown = (state, boards)
    replace(&rows.machines, in: "machines", by: (state?.machines ?? []).map(machineRow))
    replace(&rows.boards, in: "shared", by: state == nil ? [] : boards.map(boardRow))
  }

  private var words: String {
    guard isInstalled else { return localized("The program dragboard-link is not installed.") }
    guard let state else { return localized("This machine shares no boards with other machines.") }
    guard state.isRunning else { return localized("Paused: your edits wait.") }
    if let absence = state.absence {
      var words =
        absence.since.map { localized("“%1” is not reachable since %2.", absence.host, $0) }
        ?? localized("“%1” is not reachable.", absence.host)
      if absence.pending > 0 {
        words += " " + counted("One edit waits.", "%1 edits wait.", absence.pending)
        if let since = absence.pendingSince {
          words += " " + localized("The first edit is from %1.", since)
        }
      }
      return words
    }
    return state.error
      ?? counted(
        "Connected; the group has one machine.", "Connected; the group has %1 machines.",
        state.machines.count)
  }

  private func replace(_ rows: inout [Widget], in list: String, by new: [Widget]) {
    for row in rows { gtk_list_box_remove(parts[list].opaque, row) }
    for row in new { gtk_list_box_append(parts[list].opaque, row) }
    rows = new
  }

  private func row(_ title: String) -> Widget {
    let row = made(adw_action_row_new())
    adw_preferences_row_set_use_markup(row.of(), 0)
    adw_preferences_row_set_title(row.of(), ShownText.line(title))
    return row
  }

  private func machineRow(_ name: String) -> Widget {
    let row = self.row(name)
    if name == state?.machine {
      adw_action_row_set_subtitle(row.of(), localized("This machine"))
    } else {
      let button = Make.button(
        icon: "user-trash-symbolic", label: localized("Remove “%1”", name), classes: "flat"
      ) { [weak self] in self?.remove(name) }
      gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
      adw_action_row_add_suffix(row.of(), button)
    }
    return row
  }

  private func boardRow(_ name: String) -> Widget {
    let row = self.row(BoardTabs.title(of: name))
    let sharing = state?.sharing(of: name) ?? .none
    let toggle = made(gtk_switch_new())
    gtk_widget_set_valign(toggle, GTK_ALIGN_CENTER)
    gtk_switch_set_active(toggle.opaque, sharing == .shared ? 1 : 0)
    if sharing == .waiting {
      adw_action_row_set_subtitle(
        row.of(),
        localized("Other machines share a board of this name. The boards would be merged."))
    } else if let notice = state?.notice(about: name) {
      adw_action_row_set_subtitle(row.of(), ShownText.line(notice))
    }
    connect(toggle, "notify::active") { [weak self] _ in
      switch sharing {
      case .shared: self?.perform(["unshare", "--", name])
      case .waiting: self?.perform(["accept", "--", name])
      case .none: self?.perform(["share", "--", name])
      }
    }
    adw_action_row_add_suffix(row.of(), toggle)
    adw_action_row_set_activatable_widget(row.of(), toggle)
    return row
  }

  // MARK: Changes

  /// Runs a command, and shows its error.
  private func perform(_ arguments: [String], input: String = "", clearing entry: String? = nil) {
    guard let path = Programs.find(Self.program), !isBusy else { return }
    isBusy = true
    show()
    Task {
      let result = await Programs.run(path, arguments, input: input)
      isBusy = false
      // Show the switches of the boards again, also if nothing has changed.
      shown = (nil, [])
      await read()
      if result.isDone {
        if let entry { shelf_set_text(parts[entry].object, "") }
      } else {
        fail(result.output)
      }
    }
  }

  private func fail(_ output: String) {
    log.warning("\(output)")
    let lines = output.split(separator: "\n").map { ShownText.line(String($0)) }
    Question.inform(
      over: window, localized("The operation has failed."), lines.joined(separator: "\n"))
  }

  private func remove(_ name: String) {
    Question.confirm(
      over: window, localized("Remove “%1”?", name),
      localized("It keeps its copies of the boards, and gets no later edits."),
      button: localized("Remove")
    ) { [weak self] in self?.perform(["remove", "--", name]) }
  }

  /// Makes this machine listen on the network, and shows a line for one other machine.
  private func invite() {
    guard let path = Programs.find(Self.program), !isBusy else { return }
    isBusy = true
    show()
    Task {
      let result = await Programs.run(path, ["host"], input: "")
      isBusy = false
      await read()
      guard result.isDone, let line = result.output.split(separator: "\n").last else {
        return fail(result.output)
      }
      Question.inform(
        over: window, localized("Invitation for One Machine"),
        localized(
          "Send this line to the other machine as you would send a password, and paste it there on this page:"
        ) + "\n\n\(line)")
    }
  }
}
