import CGtk4
import DragboardClient
import ShelfModel

/// Actions of the row menu that involve other applications or other boards.
extension ShelfWindow {
  /// Adds the actions.
  func addActionsOnContent() {
    actions.add("open") { [weak self] in
      guard let self, let page = current else { return }
      for item in page.chosen { page.open(item) }
    }
    actions.add("open-with") { [weak self] in
      guard let self, let page = current else { return }
      page.openWith(page.chosen.compactMap { page.rows[$0] })
    }
    actions.add("preview") { [weak self] in self?.preview() }
    actions.add("show-in-folder") { [weak self] in
      guard let self, let page = current else { return }
      FileManagerService.show(page.addresses(of: page.chosen), over: widget)
    }
    actions.add("copy-addresses") { [weak self] in
      guard let self, let page = current else { return }
      let lines = page.addresses(of: page.chosen).map(Addresses.pathOrAddress)
      gdk_clipboard_set_text(gtk_widget_get_clipboard(widget), lines.joined(separator: "\n"))
    }
    actions.add("save-as") { [weak self] in self?.saveAs() }
    actions.add("move-to-board") { [weak self] number in self?.moveToBoard(number) }
    actions.add("clear") { [weak self] in self?.current?.clear() }
  }

  /// Opens the preview of the row with the cursor, or closes it.
  func preview() {
    guard let page = current, let item = page.chosen.first else { return }
    previewCount += 1
    let number = previewCount
    // A file may hang until its deadline, so neither edits nor other previews wait for it.
    Task { [weak self, widget] in
      do {
        guard let facts = try await page.facts(of: [item]).first else { return }
        await PreviewWindow.show(facts, on: page, over: widget) { self?.previewCount == number }
      } catch { self?.report(error) }
    }
  }

  private func saveAs() {
    guard let page = current else { return }
    let rows = page.chosen.compactMap { page.rows[$0] }
    Task { [weak self] in
      do {
        var files: [(item: ItemID, file: SavedContent)] = []
        for row in rows { if let file = try await page.saved(row) { files.append((row.id, file)) } }
        guard let self, let first = files.first else { return }
        if files.count > 1 {
          saveAll(files, of: page)
        } else {
          save(first.item, of: page, as: first.file)
        }
      } catch { self?.report(error) }
    }
  }

  /// Saves several rows as files in a directory; replaces no files.
  private func saveAll(_ files: [(item: ItemID, file: SavedContent)], of page: BoardPage) {
    SaveDialog.askForFolder(over: widget) { [transfers, report] folder in
      Task {
        do {
          let name = Addresses.name(of: "file://\(folder)")
          try await transfers.perform(localized("Saving “%1”", name)) {
            for (item, file) in files {
              let new = try NewFile(file.name, in: folder + "/")
              do {
                try await transfers.copy(
                  page.board.file(of: item, as: file.type), to: new.stream, for: $0)
                try new.close()
              } catch {
                new.discard()
                throw error
              }
            }
          }
          report(localized("Saved as “%1”", name))
        } catch { report(error) }
      }
    }
  }

  private func save(_ item: ItemID, of page: BoardPage, as file: SavedContent) {
    SaveDialog.ask(over: widget, named: "\(file.name)") { [transfers, report] path in
      let name = Addresses.name(of: "file://\(path)")
      // The call is not an edit, so edits must not wait for it.
      Task {
        do {
          try await transfers.perform(localized("Saving “%1”", name)) {
            try await transfers.save(page.board.file(of: item, as: file.type), to: path, for: $0)
          }
          report(localized("Saved as “%1”", name))
        } catch { report(error) }
      }
    }
  }

  /// Moves the chosen rows to the end of another board.
  private func moveToBoard(_ number: Int) {
    guard let page = current, tabs.pages.indices ~= number else { return }
    move(page.chosen, from: page, to: tabs.pages[number].page)
  }

  /// Picks up the row or stack whose handle was clicked, or puts the picked-up rows down below it.
  func didClickHandle(of item: ItemID, on page: BoardPage) {
    guard page.isLive, let index = page.surface.list.index(of: item) else { return }
    page.surface.cursor = item
    let items = page.surface.list.items(at: index)
    if !page.surface.selection.contains(item) { page.select(Set(items)) }
    if pickUp.isHolding { pickUp.putDown() } else { pickUp.pickUp(page.chosen, of: page) }
  }

  /// Moves rows to the end of another board.
  ///
  /// Locked and pinned rows are copied.
  func move(_ items: [ItemID], from page: BoardPage, to target: BoardPage) {
    page.edit {
      let move = try await BoardMove(from: page, to: target)
      let drag = try await page.beginDrag(of: items)
      let result = try await target.board.dropTarget.perform(drag.id, as: .shelf)
      guard result.operation.transfers else {
        try await drag.cancel()
        return page.report(localized("“%1” does not accept this content.", target.title))
      }
      try await move.finish(items, arrived: result.items)
    }
  }
}

/// The desktop's file manager.
private enum FileManagerService {
  /// Shows files in their folders.
  ///
  /// If the desktop has no file manager with this interface, opens the folder of the first file.
  ///
  /// Source: https://www.freedesktop.org/wiki/Specifications/file-manager-interface/
  static func show(_ addresses: [String], over window: Widget) {
    let bus = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil)
    let stringList = g_variant_type_new("as")
    defer { g_variant_type_free(stringList) }
    let builder = g_variant_builder_new(stringList)
    for address in addresses { g_variant_builder_add_value(builder, g_variant_new_string(address)) }
    var arguments = [g_variant_builder_end(builder), g_variant_new_string("")]
    g_variant_builder_unref(builder)
    g_dbus_connection_call(
      bus, "org.freedesktop.FileManager1", "/org/freedesktop/FileManager1",
      "org.freedesktop.FileManager1", "ShowItems", g_variant_new_tuple(&arguments, 2), nil,
      G_DBUS_CALL_FLAGS_NONE, -1, nil,
      { source, result, data in
        defer { release(data) }
        if let answer = g_dbus_connection_call_finish(source?.opaque, result, nil) {
          return g_variant_unref(answer)
        }
        held(data, as: Fallback.self)?.open()
      }, hold(Fallback(addresses, window)))
    if let bus { g_object_unref(bus.object) }
  }

  private final class Fallback {
    private let addresses: [String]
    private let window: Widget

    init(_ addresses: [String], _ window: Widget) {
      (self.addresses, self.window) = (addresses, window)
    }

    func open() {
      guard let folder = addresses.first?.split(separator: "/").dropLast() else { return }
      let address = "file:///" + folder.dropFirst().joined(separator: "/")
      gtk_show_uri(window.of(), address, guint32(GDK_CURRENT_TIME))
    }
  }
}

/// The dialog that asks where to save a file.
private enum SaveDialog {
  /// Asks for a directory.
  static func askForFolder(over window: Widget, chosen: @escaping (String) -> Void) {
    ask(over: window, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, named: nil, chosen: chosen)
  }

  /// Asks for a path.
  ///
  /// The dialog suggests a name in the user's home directory.
  static func ask(over window: Widget, named name: String, chosen: @escaping (String) -> Void) {
    ask(over: window, GTK_FILE_CHOOSER_ACTION_SAVE, named: name, chosen: chosen)
  }

  private static func ask(
    over window: Widget, _ action: GtkFileChooserAction, named name: String?,
    chosen: @escaping (String) -> Void
  ) {
    guard
      let dialog = gtk_file_chooser_native_new(localized("Save As"), window.of(), action, nil, nil)
    else { return }
    let home = g_file_new_for_path(g_get_home_dir())
    gtk_file_chooser_set_current_folder(dialog.opaque, home, nil)
    if let home { g_object_unref(home.object) }
    if let name { gtk_file_chooser_set_current_name(dialog.opaque, name) }
    connect(dialog, "response") { arguments in
      defer { g_object_unref(dialog.object) }
      guard arguments.int(1) == GTK_RESPONSE_ACCEPT.rawValue,
        let file = gtk_file_chooser_get_file(dialog.opaque)
      else { return }
      defer { g_object_unref(file.object) }
      guard let path = g_file_get_path(file) else { return }
      defer { g_free(path) }
      chosen(String(cString: path))
    }
    gtk_native_dialog_show(dialog.of())
  }
}
