import CGtk4
import CShelf
import ShelfModel

/// The long transfers at the lower edge of the window.
///
/// Each has a line with a progress bar and a button.
final class TransferStrip {
  /// The revealer, which is open while there are long transfers.
  let widget = made(gtk_revealer_new())
  private let lines = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 6)
  private let transfers: Transfers
  private var shown: [(transfer: Transfer, line: TransferLine)] = []

  /// Creates the strip of a window's transfers.
  init(of transfers: Transfers) {
    self.transfers = transfers
    gtk_widget_add_css_class(lines, "transfers")
    gtk_revealer_set_child(widget.opaque, lines)
    gtk_revealer_set_transition_type(widget.opaque, GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP)
    transfers.onChange = { [weak self] in self?.show() }
  }

  private func show() {
    let now = transfers.shown
    shown.removeAll { transfer, line in
      guard !now.contains(where: { $0 === transfer }) else { return false }
      line.close()
      gtk_box_remove(lines.of(), line.widget)
      return true
    }
    for transfer in now {
      if let line = shown.first(where: { $0.transfer === transfer })?.line {
        line.show(transfer.fraction)
      } else {
        let line = TransferLine(transfer) { [transfers] in transfers.cancel(transfer) }
        gtk_box_append(lines.of(), line.widget)
        shown.append((transfer, line))
      }
    }
    gtk_revealer_set_reveal_child(widget.opaque, shown.isEmpty ? 0 : 1)
  }
}

/// A transfer.
private final class TransferLine {
  let widget: Widget
  private let bar = made(gtk_progress_bar_new())
  private var pulse: Timer?

  init(_ transfer: Transfer, cancel: @escaping () -> Void) {
    let title = Make.label(transfer.title, classes: "caption")
    gtk_label_set_ellipsize(title.opaque, PANGO_ELLIPSIZE_END)
    let button = Make.button(localized("Cancel"), classes: "flat", action: cancel)
    shelf_set_accessible_label(button, localized("Cancel: %1", transfer.title))
    shelf_set_accessible_label(bar, transfer.title)
    gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
    let texts = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 6, title, bar)
    gtk_widget_set_hexpand(texts, 1)
    gtk_widget_set_valign(texts, GTK_ALIGN_CENTER)
    widget = Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 10, texts, button)
    show(transfer.fraction)
  }

  /// Shows the transferred fraction; nil shows a moving block.
  func show(_ fraction: Double?) {
    pulse?.cancel()
    pulse = nil
    if let fraction {
      gtk_progress_bar_set_fraction(bar.opaque, fraction)
    } else {
      gtk_progress_bar_pulse(bar.opaque)
      pulse = MainLoop.after(.milliseconds(100)) { [weak self] in self?.show(nil) }
    }
  }

  func close() { pulse?.cancel() }
}
