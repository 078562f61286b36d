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
