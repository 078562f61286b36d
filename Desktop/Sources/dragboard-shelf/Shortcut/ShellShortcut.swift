import CGtk4

/// The shortcut on GNOME, which the extension of GNOME Shell grabs: `gnome-extension/extension.js`.
final class ShellShortcut: ShortcutSource {
  var onPress: () -> Void = {}
  private let bus: OpaquePointer
  private var subscription: guint = 0

  /// Follows the extension; nil if it does not run.
  init?() {
    guard let bus = g_bus_get_sync(G_BUS_TYPE_SESSION, nil, nil)?.opaque else { return nil }
    guard ShellExtension.runs(on: bus) else {
      g_object_unref(bus.object)
      return nil
    }
    self.bus = bus
    // The bus delivers only signals of the owner of the name, so no other program can forge them.
    subscription = g_dbus_connection_signal_subscribe(
      bus, ShellExtension.name, ShellExtension.interface, "Shortcut", ShellExtension.path, nil,
      G_DBUS_SIGNAL_FLAGS_NONE,
      { _, _, _, _, _, _, data in held(data, as: ShellShortcut.self)?.onPress() }, borrow(self), nil
    )
  }

  isolated deinit {
    g_dbus_connection_signal_unsubscribe(bus, subscription)
    g_object_unref(bus.object)
  }
}
