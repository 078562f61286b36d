import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// The waiting drags at the lower edge of the window.
///
/// Each has a chip, which the user can drag, and a button that drops the drag on the board.
final class WaitingStrip {
  /// The revealer, which is open while there are waiting drags.
  let widget = made(gtk_revealer_new())
  /// Called with a drag that must be dropped on the board.
  var onPut: (SessionID) -> Void = { _ in }
  /// Called with the drags and their titles when they have changed.
  var onChange: ([(id: SessionID, title: String)]) -> Void = { _ in }
  private let waiting: WaitingDrags
  private let drags: DragsOfShelf
  private let transfers: Transfers
  private let report: Report
  private let connection: DragboardConnection
  private let chips = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 6)
  private var shown: [SessionID: WaitingChip] = [:]

  /// The height of two chips and a part of a third chip, which shows that there are more.
  private static let maxHeight: Int32 = 124

  /// Creates a strip of the drags on the bus of a connection.
  init(
    on connection: DragboardConnection, drags: DragsOfShelf, transfers: Transfers, report: Report
  ) {
    waiting = WaitingDrags(on: connection)
    self.connection = connection
    self.drags = drags
    self.transfers = transfers
    self.report = report
    let scroller = Make.scroller(chips)
    gtk_scrolled_window_set_policy(scroller.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
    gtk_scrolled_window_set_propagate_natural_height(scroller.opaque, 1)
    gtk_scrolled_window_set_max_content_height(scroller.opaque, Self.maxHeight)
    let strip = Make.box(
      GTK_ORIENTATION_VERTICAL,
      Make.label(localized("Drags waiting to be dropped"), classes: "heading", "dim-label"),
      scroller)
    gtk_widget_add_css_class(strip, "waiting")
    shelf_set_accessible_label(strip, localized("Drags waiting to be dropped"))
    gtk_revealer_set_child(widget.opaque, strip)
    gtk_revealer_set_transition_type(widget.opaque, GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP)
    waiting.onChange = { [weak self] in self?.show() }
  }

  /// Stops following the drags.
  func close() { waiting.close() }

  private func show() {
    let drags = waiting.drags
    for (id, chip) in shown where !drags.contains(where: { $0.id == id }) {
      gtk_box_remove(chips.of(), chip.widget)
      shown[id] = nil
    }
    for drag in drags { chip(for: drag.id).show(drag) }
    gtk_revealer_set_reveal_child(widget.opaque, drags.isEmpty ? 0 : 1)
    onChange(drags.map { ($0.id, $0.title(describe: \.readable)) })
  }

  /// Cancels a drag; its source is notified.
  ///
  /// A drag of another process or machine continues, because only its source can cancel it. The
  /// shelf hides it.
  private func dismiss(_ session: SessionID) {
    Task { [connection, report, waiting] in
      do throws(DragboardError) { try await DragSession(session, on: connection).cancel() } catch {
        guard error.reason == .accessDenied else { return report(error) }
        waiting.hide(session)
      }
    }
  }

  private func chip(for session: SessionID) -> WaitingChip {
    if let chip = shown[session] { return chip }
    let chip = WaitingChip(
      put: { [weak self] in self?.onPut(session) },
      dismiss: { [weak self] in self?.dismiss(session) })
    PickedUpDrag.attach(to: chip.widget, drags: drags, transfers: transfers, report: report) {
      [weak self] in
      guard let self, let drag = waiting.drags.first(where: { $0.id == session }) else {
        return nil
      }
      return (drag, connection)
    }
    chip.onEnter { [weak self] in self?.waiting.read() }
    shown[session] = chip
    gtk_box_append(chips.of(), chip.widget)
    return chip
  }
}

extension Application {
  /// Returns the name of an application on this desktop; its id if it is not installed.
  fileprivate static func name(of id: String) -> String {
    guard let name = shelf_application_name("\(id).desktop") else { return id }
    defer { g_free(name) }
    return String(cString: name)
  }
}

/// The chip of a waiting drag.
private final class WaitingChip {
  let widget: Widget
  private let image = made(gtk_image_new())
  private let title = Make.label(classes: "title")
  private let origin = Make.label(classes: "caption", "dim-label")
  private let button: Widget
  private let dismissal: Widget

  init(put: @escaping () -> Void, dismiss: @escaping () -> Void) {
    dismissal = Make.button(
      icon: "window-close-symbolic", label: localized("Dismiss"), classes: "flat", "circular",
      action: dismiss)
    button = Make.button(
      icon: "list-add-symbolic", label: localized("Put on the board"), classes: "flat", "circular",
      action: put)
    for label in [title, origin] {
      gtk_label_set_ellipsize(label.opaque, PANGO_ELLIPSIZE_END)
    }
    let texts = Make.box(GTK_ORIENTATION_VERTICAL, title, origin)
    gtk_widget_set_hexpand(texts, 1)
    gtk_widget_set_valign(texts, GTK_ALIGN_CENTER)
    for button in [button, dismissal] { gtk_widget_set_valign(button, GTK_ALIGN_CENTER) }
    widget = Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 10, image, texts, button, dismissal)
    for name in ["chip", "card"] { gtk_widget_add_css_class(widget, name) }
    gtk_widget_set_cursor_from_name(widget, "grab")
  }

  func show(_ drag: WaitingDrag) {
    if drag.itemCount == 1, let item = drag.items.first {
      item.showSymbol(in: image)
    } else {
      gtk_image_set_from_icon_name(image.opaque, drag.kind.iconName)
    }
    let words = drag.title(describe: \.readable)
    let detail = drag.detail(describe: \.readable, nameOf: Application.name(of:))
    gtk_label_set_text(title.opaque, words)
    gtk_label_set_text(origin.opaque, detail)
    let text = localized("%1 · %2", words, detail)
    gtk_widget_set_tooltip_text(widget, text)
    shelf_set_accessible_label(widget, text)
    shelf_set_accessible_label(dismissal, localized("Dismiss %1", text))
    shelf_set_accessible_label(button, localized("Put %1 on the board", text))
  }

  /// Calls `body` when the pointer enters the widget, which is before the user can begin the drag.
  func onEnter(_ body: @escaping () -> Void) {
    let motion = made(gtk_event_controller_motion_new())
    connect(motion, "enter") { _ in body() }
    gtk_widget_add_controller(widget, motion)
  }
}
