import CGtk4
import CShelf

/// Shortcuts for common widgets.
///
/// GTK never returns nil for them. Each function names the corresponding C function.
enum Make {
  /// `gtk_box_new`, with children.
  static func box(_ orientation: GtkOrientation, spacing: Int32 = 0, _ children: Widget...)
    -> Widget
  {
    let box = made(gtk_box_new(orientation, spacing))
    for child in children { gtk_box_append(box.of(), child) }
    return box
  }

  /// `gtk_label_new`, aligned to the start.
  static func label(_ text: String = "", classes: String...) -> Widget {
    let label = made(gtk_label_new(text))
    gtk_label_set_xalign(label.opaque, 0)
    for name in classes { gtk_widget_add_css_class(label, name) }
    return label
  }

  /// `gtk_scrolled_window_new` with a child.
  ///
  /// The child can have the focus; the scrolled window cannot.
  static func scroller(_ child: Widget) -> Widget {
    let scroller = made(gtk_scrolled_window_new())
    gtk_scrolled_window_set_child(scroller.opaque, child)
    gtk_widget_set_focusable(scroller, 0)
    return scroller
  }

  /// `gtk_button_new_from_icon_name`; the label is for screen readers and the tooltip.
  static func button(
    icon: String, label: String, classes: String..., action: @escaping () -> Void = {}
  ) -> Widget {
    let button = made(gtk_button_new_from_icon_name(icon))
    return decorated(button, label, classes) { connect(button, "clicked") { _ in action() } }
  }

  /// `gtk_button_new_with_label`.
  static func button(_ text: String, classes: String..., action: @escaping () -> Void) -> Widget {
    let button = made(gtk_button_new_with_label(text))
    for name in classes { gtk_widget_add_css_class(button, name) }
    connect(button, "clicked") { _ in action() }
    return button
  }

  /// `gtk_toggle_button_new` with an icon.
  static func toggle(icon: String, label: String, action: @escaping (Bool) -> Void) -> Widget {
    let toggle = made(gtk_toggle_button_new())
    gtk_button_set_icon_name(toggle.of(), icon)
    return decorated(toggle, label, ["flat"]) {
      connect(toggle, "toggled") { _ in action(gtk_toggle_button_get_active(toggle.of()) != 0) }
    }
  }

  /// `g_simple_action_new_stateful`, whose state is a name.
  static func action(_ name: String, choosing choice: String) -> OpaquePointer {
    let type = g_variant_type_new("s")
    defer { g_variant_type_free(type) }
    return made(g_simple_action_new_stateful(name, type, g_variant_new_string(choice)))
  }

  /// `g_simple_action_new`, whose argument is a text.
  static func action(takingText name: String) -> OpaquePointer {
    let type = g_variant_type_new("s")
    defer { g_variant_type_free(type) }
    return made(g_simple_action_new(name, type))
  }

  /// `g_simple_action_new_stateful`, whose state is on or off.
  static func action(_ name: String, isOn: Bool) -> OpaquePointer {
    made(g_simple_action_new_stateful(name, nil, g_variant_new_boolean(isOn ? 1 : 0)))
  }

  private static func decorated(
    _ button: Widget, _ label: String, _ classes: [String], _ connect: () -> Void
  ) -> Widget {
    gtk_widget_set_tooltip_text(button, label)
    shelf_set_accessible_label(button, label)
    for name in classes { gtk_widget_add_css_class(button, name) }
    connect()
    return button
  }
}

/// Unwraps a new object.
///
/// GTK's documentation guarantees that it exists.
func made<Pointer>(_ pointer: Pointer?) -> Pointer {
  guard let pointer else { preconditionFailure("GTK made nothing") }
  return pointer
}

extension UnsafeMutablePointer where Pointee == GtkWidget {
  /// Shows or hides the widget.
  func show(_ isShown: Bool) { gtk_widget_set_visible(self, isShown ? 1 : 0) }

  /// Adds or removes a CSS class.
  func setClass(_ name: String, _ isSet: Bool) {
    if isSet {
      gtk_widget_add_css_class(self, name)
    } else {
      gtk_widget_remove_css_class(self, name)
    }
  }

  /// Sets the margins.
  func setMargins(vertical: Int32, horizontal: Int32) {
    gtk_widget_set_margin_top(self, vertical)
    gtk_widget_set_margin_bottom(self, vertical)
    gtk_widget_set_margin_start(self, horizontal)
    gtk_widget_set_margin_end(self, horizontal)
  }

  /// Lets the widget take all remaining space.
  func expand() {
    gtk_widget_set_hexpand(self, 1)
    gtk_widget_set_vexpand(self, 1)
  }

  /// Returns the upper and lower edge in the coordinates of another widget; nil if the widget is
  /// hidden.
  func edges(in other: Widget) -> (top: Double, bottom: Double)? {
    var bounds = graphene_rect_t()
    guard gtk_widget_get_mapped(self) != 0, gtk_widget_compute_bounds(self, other, &bounds) != 0
    else { return nil }
    return (Double(bounds.origin.y), Double(bounds.origin.y + bounds.size.height))
  }
}

/// A position in a widget.
typealias Point = (x: Double, y: Double)

/// Popovers that open at a part of a widget and belong to the whole widget.
///
/// The part, such as a row, may be removed while the popover is open.
extension UnsafeMutablePointer where Pointee == GtkWidget {
  /// Makes a popover a child of this widget, pointing at a position.
  ///
  /// After the popover has closed, it is removed, and `didClose` is called.
  func own(popover: Widget, pointingAt place: Point, didClose: @escaping () -> Void) {
    gtk_widget_set_parent(popover, self)
    var area = GdkRectangle(x: gint(place.x), y: gint(place.y), width: 1, height: 1)
    gtk_popover_set_pointing_to(popover.of(), &area)
    connect(popover, "closed") { _ in
      // Remove the popover after its signal has been handled and the chosen action has been
      // performed.
      MainLoop.after(.zero) {
        gtk_widget_unparent(popover)
        didClose()
      }
    }
  }

  /// Converts a position in a part to this widget's coordinates.
  func place(_ place: Point, of part: Widget) -> Point {
    var own = (x: 0.0, y: 0.0)
    gtk_widget_translate_coordinates(part, self, place.x, place.y, &own.x, &own.y)
    return own
  }

  /// The middle of the lower edge.
  var foot: Point {
    (Double(gtk_widget_get_width(self)) / 2, Double(gtk_widget_get_height(self)))
  }
}

extension GdkModifierType {
  /// Returns whether a key is held.
  func contains(_ key: GdkModifierType) -> Bool { rawValue & key.rawValue != 0 }
}

extension String {
  /// The text with escapes for a widget that parses markup.
  var escapingMarkup: String {
    guard let text = g_markup_escape_text(self, -1) else { return "" }
    defer { g_free(text) }
    return String(cString: text)
  }
}
