import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// The settings of one board, in an expandable row.
final class BoardSettingsRow {
  /// The board.
  let board: Board
  /// The AdwExpanderRow.
  let widget: Widget
  /// The handle by which the user drags the row.
  let handle: Widget
  /// The buttons that move the board up and down.
  let up, down: Widget
  private(set) var name: String
  private let parts = Interface(PackageResources.board_ui)
  private let accepted, time: Choice
  private let duplicates, removing: Toggle
  /// The texts of the entries, as they were last applied.
  private var applied: [String: String] = [:]
  private var times: [Duration] = []
  /// The changes that the texts of the entries make.
  private var changes: [String: (String) async throws -> Void] = [:]
  /// The number of questions to the user.
  private var questionCount = 0
  private let report: Report

  /// Creates the row of a board.
  ///
  /// If `isDefault`, the board cannot be renamed or moved.
  init(_ board: Board, named name: String, isDefault: Bool, report: Report) {
    self.board = board
    self.name = name
    self.report = report
    widget = parts["row"]
    (handle, up, down) = (parts["handle"], parts["up"], parts["down"])
    (accepted, time) = (Choice(parts["accepted"]), Choice(parts["time"]))
    duplicates = Toggle(parts["duplicates"])
    removing = Toggle(parts["removing"])
    for part in [handle, up, down, parts["name_row"]] { part.show(!isDefault) }
    gtk_widget_set_cursor_from_name(handle, "grab")
    listen()
    rename(to: name)
    Task { await read() }
  }

  /// Shows another name.
  func rename(to name: String) {
    self.name = name
    let title = BoardTabs.title(of: name)
    adw_preferences_row_set_title(widget.of(), title)
    show("name", title)
    shelf_set_accessible_label(up, localized("Move “%1” up", title))
    shelf_set_accessible_label(down, localized("Move “%1” down", title))
  }

  private func listen() {
    removing.show(ShelfSettings.removesDraggedOut(from: board.id))
    removing.onChange = { [board] in ShelfSettings.setRemovesDraggedOut($0, from: board.id) }
    onApply("name") { [weak self] name in
      guard let self else { return }
      try await board.connection.renameBoard(named: self.name, to: name)
    }
    onApply("types") { [weak self] in try await self?.setTypes($0) }
    onApply("rows") { [weak self] in try await self?.setRows(Self.number($0)) }
    accepted.onChange = { [weak self] in self?.didChoose(content: $0) }
    time.onChange = { [weak self] index in
      guard let self, times.indices ~= index else { return }
      let time = times[index]
      perform { [weak self] in try await self?.setTime(time) }
    }
    duplicates.onChange = { [weak self] isOn in
      self?.perform { [weak self] in try await self?.board.settings.setMovesDuplicates(isOn) }
    }
  }

  /// Shows the settings of the board.
  private func read() async {
    guard let info = try? await board.info() else { return }
    showTypes(info.acceptedTypes, isCustom: AcceptedContent(info.acceptedTypes) == nil)
    show("rows", "\(info.retainedRows)")
    times = RetentionTime.choices(with: info.retainedTime)
    time.show(
      times.map(RetentionTime.title(of:)), chosen: times.firstIndex(of: info.retainedTime) ?? 0)
    duplicates.show(info.movesDuplicates)
  }

  private func showTypes(_ types: [ContentType], isCustom: Bool) {
    let kind = isCustom ? nil : AcceptedContent(types)
    let kinds = AcceptedContent.allCases
    accepted.show(
      kinds.map(\.title) + [localized("Custom")],
      chosen: kind.flatMap(kinds.firstIndex(of:)) ?? kinds.count)
    parts["types_row"].show(kind == nil)
    show("types", types.map(\.rawValue).joined(separator: ", "))
  }

  private func show(_ entry: String, _ text: String) {
    applied[entry] = text
    shelf_set_text(parts[entry].object, text)
    didApply(entry)
  }

  private func didApply(_ entry: String) {
    parts[entry].setClass("error", false)
    gtk_entry_set_icon_from_icon_name(parts[entry].of(), GTK_ENTRY_ICON_SECONDARY, nil)
  }

  // MARK: Changes

  /// Sets the types of the chosen kind of content, or shows the entry for other types.
  private func didChoose(content index: Int) {
    perform { [weak self] in
      guard let self else { return }
      let kinds = AcceptedContent.allCases
      if kinds.indices ~= index { try await board.settings.setAcceptedTypes(kinds[index].types) }
      showTypes(try await board.info().acceptedTypes, isCustom: !(kinds.indices ~= index))
      if !(kinds.indices ~= index) { gtk_widget_grab_focus(parts["types"]) }
    }
  }

  private func setTypes(_ text: String) async throws {
    let types = text.split { $0 == "," || $0.isWhitespace }.map { ContentType(String($0)) }
    guard !types.isEmpty else {
      throw Refusal(description: localized("The list of types is empty."))
    }
    do { try await board.settings.setAcceptedTypes(types) } catch {
      guard error.reason == .invalidArguments else { throw error }
      throw Refusal(description: localized("These are not types: %1", text))
    }
  }

  private func setRows(_ count: Int) async throws {
    let info = try await board.info()
    let limits = RetentionSettings(rows: count, time: info.retainedTime)
    let deleted = count > 0 ? try await deletedCount(by: limits) : 0
    guard deleted > 0 else { return try await board.settings.setRetainedRows(count) }
    confirmDeletion(of: deleted) { try await $0.settings.setRetainedRows(count) }
  }

  private func setTime(_ time: Duration) async throws {
    let info = try await board.info()
    let before = info.retainedTime
    guard time > .zero, info.count > 0, before == .zero || time < before else {
      return try await board.settings.setRetainedTime(time)
    }
    let limits = RetentionSettings(rows: info.retainedRows, time: time)
    confirmDeletion(of: try await deletedCount(by: limits)) {
      try await $0.settings.setRetainedTime(time)
    }
  }

  /// Returns the number of rows that limits would delete now.
  private func deletedCount(by limits: RetentionSettings) async throws -> Int {
    var rows: [Row] = []
    for section in try await board.snapshot().sections.indices {
      var first = 0
      while case let page = try await board.page(ofSection: section, from: first, count: 1000).rows,
        !page.isEmpty
      {
        rows += page
        first += page.count
      }
    }
    let free = rows.filter { $0.isEditable && !$0.isPinned }
    return limits.deletedCount(
      of: rows.count, created: free.map(\.created), at: .microseconds(g_get_real_time()))
  }

  /// Asks for a confirmation before a setting deletes rows.
  ///
  /// `count` is the number of rows that it deletes now; others follow.
  private func confirmDeletion(of count: Int, _ set: @escaping (Board) async throws -> Void) {
    guard let window = gtk_widget_get_root(widget) else { return }
    questionCount += 1
    Question.confirm(
      over: window.widget,
      count == 0
        ? localized("Delete Old Rows?") : counted("Delete One Row?", "Delete %1 Rows?", count),
      localized(
        "Rows beyond the limit are deleted, now and in the future. Undo restores only the rows that are deleted now."
      ),
      button: localized("Delete"),
      cancelled: { [weak self] in Task { await self?.read() } },
      confirmed: { [weak self] in
        self?.perform { [weak self] in try await self?.deleteRows(set) }
      })
  }

  /// Changes a setting that deletes rows, and offers to undo the change.
  private func deleteRows(_ set: (Board) async throws -> Void) async throws {
    let before = try await board.info().count
    try await set(board)
    let info = try await board.info()
    guard before > info.count else { return }
    report(counted("One row deleted", "%1 rows deleted", before - info.count)) { [weak self] in
      self?.perform { [weak self] in try await self?.undo(info.revision) }
    }
  }

  /// Undoes a change if it is still the latest edit of the board, and shows the settings.
  private func undo(_ revision: UInt64) async throws {
    guard try await board.info().revision == revision else {
      return report(
        localized("The board has changed in the meantime. Ctrl+Z undoes its latest change."))
    }
    try await board.history.undo()
    await read()
  }

  private static func number(_ text: String) throws -> Int {
    guard let number = UInt32(text.trimming { $0.isWhitespace }) else {
      throw Refusal(
        description: localized("This is not a whole number from 0 to %1.", "\(UInt32.max)"))
    }
    return Int(number)
  }

  /// Performs a change when the user leaves an entry, or applies its text with Enter or its icon.
  ///
  /// If the change is refused, marks the entry.
  private func onApply(_ entry: String, _ body: @escaping (String) async throws -> Void) {
    let widget = parts[entry]
    changes[entry] = body
    let focus = made(gtk_event_controller_focus_new())
    connect(focus, "leave") { [weak self] _ in
      guard let self else { return }
      Task { await self.apply(entry) }
    }
    gtk_widget_add_controller(widget, focus)
    connect(widget, "changed") { _ in
      gtk_entry_set_icon_from_icon_name(
        widget.of(), GTK_ENTRY_ICON_SECONDARY, "object-select-symbolic")
    }
    for signal in ["activate", "icon-press"] {
      connect(widget, signal) { [weak self] _ in
        guard let self else { return }
        Task { await self.apply(entry, again: true) }
      }
    }
  }

  /// Whether the text of an entry has not been applied.
  var hasPending: Bool { applied.contains { text(of: $0.key) != $0.value } }

  /// Applies the texts that have not been applied.
  ///
  /// - Returns: whether all are applied, none was refused, and the user was asked nothing.
  func applyPending() async -> Bool {
    var isDone = true
    for entry in applied.keys.sorted() where text(of: entry) != applied[entry] {
      let isApplied = await apply(entry)
      isDone = isDone && isApplied
    }
    return isDone
  }

  private func text(of entry: String) -> String {
    shelf_text(parts[entry].object).map { String(cString: $0) } ?? ""
  }

  /// Applies the text of an entry, unless it has been applied or refused before.
  ///
  /// - Parameters:
  ///   - entry: the entry.
  ///   - again: whether to apply a text that has been applied or refused before.
  /// - Returns: whether it was applied, without a question to the user.
  @discardableResult
  private func apply(_ entry: String, again: Bool = false) async -> Bool {
    let text = text(of: entry)
    // The entry has no text before the settings of the board have been read.
    guard let known = applied[entry], again || text != known, let change = changes[entry] else {
      return true
    }
    applied[entry] = text
    let questions = questionCount
    do {
      try await change(text)
      didApply(entry)
      return questionCount == questions
    } catch {
      parts[entry].setClass("error", true)
      report(error)
      return false
    }
  }

  private func perform(_ body: @escaping () async throws -> Void) {
    Task { [report] in do { try await body() } catch { report(error) } }
  }

  /// The reason why the text of an entry is refused.
  private struct Refusal: Error, CustomStringConvertible {
    let description: String
  }
}

extension String {
  /// Returns the text without the characters at its beginning and end for which `isCut` is true.
  fileprivate func trimming(_ isCut: (Character) -> Bool) -> Substring {
    let rest = drop(while: isCut)
    return rest.lastIndex { !isCut($0) }.map { rest[...$0] } ?? ""
  }
}
