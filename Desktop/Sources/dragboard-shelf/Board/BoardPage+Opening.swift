import CGtk4
import DragboardClient
import ShelfModel

/// Opening rows with the desktop's applications.
extension BoardPage {
  /// Opens a row with the default application of its kind, or a part of a web page in the browser.
  func open(_ item: ItemID) {
    edit { [weak self] in
      guard let self, let row = try await facts(of: [item]).first else { return }
      for address in try await addresses(of: row) {
        Opening.open(address, over: widget) { [weak self] in
          guard let self else { return }
          report(localized("No application can open %1.", name(of: [item])))
        }
      }
    }
  }

  /// Returns whether a browser could run scripts in a row.
  ///
  /// Such a row opens in the browser only if the user has chosen this.
  func mayRunScripts(_ item: ItemID) -> Bool {
    let types = [
      previews[item]?.fileType, rows[item]?.kind == .addresses ? nil : rows[item]?.saved()?.type,
    ]
    return types.contains { $0?.mayContainScripts ?? false }
  }

  /// Returns the addresses of rows, as far as their previews contain them.
  func addresses(of items: [ItemID]) -> [String] {
    items.flatMap { previews[$0]?.addresses ?? [] }
  }

  /// Returns the addresses of a row.
  ///
  /// A row without addresses is exported as a file.
  private func addresses(of row: RowFacts) async throws -> [String] {
    if let address = row.pastedAddress { return [address] }
    if row.kind == .addresses {
      return try await Links.read(row, on: board, isWhole: true).addresses
    }
    let content = RowContentProvider(RowsOfBoard([row], of: board), transfers)
    return try await content.addresses().all
  }

  /// Returns the file that a row becomes; nil if the row is a link or the address of a file.
  func saved(_ row: RowFacts) async throws -> SavedContent? {
    guard row.pastedAddress == nil else { return row.saved() }
    return try await RowContentProvider(RowsOfBoard([row], of: board), transfers).saved(row, at: 0)
  }
}

extension BoardPage {
  /// Returns the type of rows for the choice of an application; nil if they have several types.
  func typeToOpen(_ rows: [RowFacts]) -> ContentType? {
    let types = Set(
      rows.map { row -> ContentType? in
        if row.isLink { return Self.webLink }
        guard row.kind == .addresses else { return row.saved()?.type }
        let addresses = addresses(of: [row.id])
        return Addresses(addresses).areFiles ? previews[row.id]?.fileType : Self.webLink
      })
    return types.count == 1 ? types.first ?? nil : nil
  }

  private static let webLink: ContentType = "x-scheme-handler/https"

  /// Lets the user choose an application, and opens rows with it.
  func openWith(_ rows: [RowFacts]) {
    guard let type = typeToOpen(rows), let window = gtk_widget_get_root(widget) else { return }
    let dialog = made(
      gtk_app_chooser_dialog_new_for_content_type(
        UnsafeMutablePointer<GtkWindow>(window), GTK_DIALOG_MODAL, type.base))
    gtk_window_set_title(dialog.of(), localized("Open With"))
    connect(dialog, "response") { [weak self] in
      let application =
        $0.int(1) == GTK_RESPONSE_OK.rawValue
        ? gtk_app_chooser_get_app_info(dialog.opaque).map { Owned(adopting: $0) } : nil
      gtk_window_destroy(dialog.of())
      if let application { self?.open(rows, with: application) }
    }
    gtk_window_present(dialog.of())
  }

  private func open(_ rows: [RowFacts], with application: Owned) {
    edit { [weak self] in
      var list: UnsafeMutablePointer<GList>?
      defer { g_list_free_full(list, { g_free($0) }) }
      for row in rows {
        for address in try await self?.addresses(of: row) ?? [] {
          list = g_list_append(list, g_strdup(address))
        }
      }
      g_app_info_launch_uris(application.pointer, list, nil, nil)
    }
  }
}

/// A request to open an address.
private final class Opening {
  private let didFail: () -> Void

  private init(_ didFail: @escaping () -> Void) { self.didFail = didFail }

  /// Opens an address; in a sandbox, through the portal.
  static func open(_ address: String, over widget: Widget, didFail: @escaping () -> Void) {
    gtk_show_uri_full(
      gtk_widget_get_root(widget).map { UnsafeMutablePointer<GtkWindow>($0) }, address,
      guint32(GDK_CURRENT_TIME), nil,
      { window, result, data in
        defer { release(data) }
        guard gtk_show_uri_full_finish(window?.of(), result, nil) == 0 else { return }
        held(data, as: Opening.self)?.didFail()
      }, hold(Opening(didFail)))
  }
}
