import CGtk4
import DragboardClient
import Files
import Logging
import ShelfModel

/// The start of the installed version of the shelf, after an update has replaced the program.
final class ShelfUpdate {
  private let application: OpaquePointer
  private let windows: () -> (shelf: ShelfWindow?, pointer: ShelfWindow?)

  /// Creates an update that has not begun.
  ///
  /// - Parameters:
  ///   - application: the application.
  ///   - windows: returns the window of the shelf, and the window beside the pointer.
  init(
    of application: OpaquePointer,
    windows: @escaping () -> (shelf: ShelfWindow?, pointer: ShelfWindow?)
  ) {
    (self.application, self.windows) = (application, windows)
  }

  /// Starts the installed version if the daemon leaves after an update.
  ///
  /// The daemon leaves when no drag and no view is open, or when the user calls `dragboard restart`.
  func follow(on connection: DragboardConnection) {
    Task { [weak self] in
      do {
        for try await event in await connection.events() {
          guard case .daemonLeft = event, RunningProgram.own?.isReplaced == true else { continue }
          guard let self else { return }
          if isInUse { windows().shelf?.announceUpdate() } else { restart() }
        }
      } catch {}
    }
  }

  /// Whether the user would lose an unfinished answer or text.
  private var isInUse: Bool {
    let toplevels = made(gtk_window_get_toplevels())
    let (shelf, pointer) = windows()
    let own = [shelf?.widget, pointer?.widget]
    let others = (0..<g_list_model_get_n_items(toplevels)).contains { index in
      guard let other = g_list_model_get_item(toplevels, index) else { return false }
      defer { g_object_unref(other) }
      let widget = other.assumingMemoryBound(to: GtkWidget.self)
      return gtk_widget_get_visible(widget) != 0 && !own.contains(widget)
    }
    return others || shelf?.isEditing == true
  }

  /// Restarts the daemon, and with it all programs that an update has replaced.
  func restartAll() {
    Task { [weak self] in
      if let dragboard = Programs.find("dragboard") {
        let result = await Programs.run(dragboard, ["restart", "--quiet"])
        if !result.isDone { log.warning("\(result.output)") }
      }
      // The daemon may not be installed, or the end of the daemon was not noticed.
      self?.restart()
    }
  }

  /// Runs the installed version in place of this process.
  private func restart() {
    guard let program = RunningProgram.own else { return }
    log.notice("starting the installed version: \(program.path)")
    let window = windows().shelf
    let isShown = window.map { gtk_widget_get_visible($0.widget) != 0 } ?? false
    window?.close()
    releaseName()
    do { try program.restart(isShown ? [] : ["--gapplication-service"]) } catch {
      log.error("\(error)")
    }
  }

  /// Releases the name on the bus.
  ///
  /// Otherwise the new process could find the name in use, and would exit.
  private func releaseName() {
    let application = UnsafeMutablePointer<GApplication>(application)
    guard let bus = g_application_get_dbus_connection(application) else { return }
    var name = [g_variant_new_string(ShelfApplication.id)]
    let reply = g_dbus_connection_call_sync(
      bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ReleaseName",
      g_variant_new_tuple(&name, 1), nil, G_DBUS_CALL_FLAGS_NONE, 2_000, nil, nil)
    if let reply { g_variant_unref(reply) }
  }
}
