import CGtk4
import CShelf
import ClipboardModel
import ShelfModel

/// The drags on GNOME, which an extension of GNOME Shell reports: `gnome-extension/extension.js`.
final class ShellExtension: DragWatch {
  var onBegin: (ProgramNames) -> Void = { _ in }
  var onEnd: () -> Void = {}
  let placement: any EdgePlacement
  private let bus: OpaquePointer
  private var subscription: guint = 0

  /// The name of GNOME Shell.
  ///
  /// The extension has no name of its own, because another program could own that name first.
  static let name = "org.gnome.Shell"
  static let path = "/org/dragboard/Shell"
  static let interface = "org.dragboard.Shell1"

  /// Follows the extension; nil if it does not run.
  init?() {
    guard let bus = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil)?.opaque else { return nil }
    guard Self.runs(on: bus) else {
      g_object_unref(bus.object)
      return nil
    }
    self.bus = bus
    placement = ExtensionPlacement(bus)
    // The bus delivers only signals of the owner of the name, so no other program can forge them.
    subscription = g_dbus_connection_signal_subscribe(
      bus, Self.name, Self.interface, nil, Self.path, nil, G_DBUS_SIGNAL_FLAGS_NONE,
      { _, _, _, _, signal, values, data in
        guard let signal, let watch = held(data, as: ShellExtension.self) else { return }
        watch.take(String(cString: signal), values)
      }, borrow(self), nil)
  }

  isolated deinit {
    g_dbus_connection_signal_unsubscribe(bus, subscription)
    g_object_unref(bus.object)
  }

  /// Returns whether GNOME Shell has the object of the extension.
  static func runs(on bus: OpaquePointer) -> Bool {
    let reply = g_dbus_connection_call_sync(
      bus, name, path, "org.freedesktop.DBus.Properties", "Get", tuple(interface, "Version"), nil,
      G_DBUS_CALL_FLAGS_NO_AUTO_START, 2_000, nil, nil)
    if let reply { g_variant_unref(reply) }
    return reply != nil
  }

  /// Returns a tuple of texts, with a floating reference.
  fileprivate static func tuple(_ texts: String...) -> OpaquePointer? {
    var values = texts.map { g_variant_new_string($0) }
    return g_variant_new_tuple(&values, gsize(values.count))
  }

  private func take(_ signal: String, _ values: OpaquePointer?) {
    switch signal {
    case "DragBegan":
      guard let values, g_variant_n_children(values) == 1,
        let word = g_variant_get_child_value(values, 0)
      else { return }
      defer { g_variant_unref(word) }
      let name = g_variant_get_string(word, nil).map { String(cString: $0) } ?? ""
      onBegin(ProgramNames(process: name))
    case "DragEnded": onEnd()
    default: break
    }
  }
}

/// The placement beside the pointer on GNOME: the extension places the window when it appears.
private struct ExtensionPlacement: EdgePlacement {
  let isHiddenWhenClosed = true
  let side: ScreenSide? = nil
  private let bus: OpaquePointer

  init(_ bus: OpaquePointer) { self.bus = bus }

  func prepare(_ window: Widget) {
    let size = EdgeFrame.sizeBesidePointer
    gtk_window_set_default_size(window.of(), gint(size.width), gint(size.height))
    gtk_widget_realize(window)
  }

  func place(_ window: Widget, isOpen: Bool) {
    guard isOpen else {
      window.show(false)
      return shelf_forget_drop(window)
    }
    guard gtk_widget_get_mapped(window) == 0 else { return }
    // The extension must know of the window before the window appears. If it does not answer, GNOME
    // places the window.
    let title = gtk_window_get_title(window.of()).map { String(cString: $0) } ?? ""
    let reply = g_dbus_connection_call_sync(
      bus, ShellExtension.name, ShellExtension.path, ShellExtension.interface, "Place",
      ShellExtension.tuple(title), nil, G_DBUS_CALL_FLAGS_NO_AUTO_START, 500,
      nil, nil)
    if let reply { g_variant_unref(reply) }
    window.show(true)
  }
}
