import CGtk4
import DragboardClient
import Glibc

/// The program: one for a session, `org.dragboard.Shelf` on its bus.
@main
final class ShelfApplication {
  /// The name of the program on the bus and in the desktop.
  static let id = "org.dragboard.Shelf"

  private let application = made(gtk_application_new(id, G_APPLICATION_DEFAULT_FLAGS))
  private var window: ShelfWindow?
  private var isOpening = false

  /// Runs until the last window is closed.
  static func main() {
    MainLoop.adoptMainActor()
    let shelf = ShelfApplication()
    exit(shelf.run())
  }

  private func run() -> Int32 {
    connect(application, "startup") { _ in Style.apply() }
    connect(application, "activate") { [self] _ in activate() }
    return g_application_run(
      application.of(), CommandLine.argc, CommandLine.unsafeArgv)
  }

  /// Shows the window; it is made with the first activation.
  private func activate() {
    if let window { return gtk_window_present(window.widget.of()) }
    guard !isOpening else { return }
    isOpening = true
    g_application_hold(application.of())
    Task {
      defer {
        isOpening = false
        g_application_release(application.of())
      }
      do {
        open(on: try await DragboardConnection.connect())
      } catch {
        StandardError.write("dragboard-shelf: \(error)\n")
      }
    }
  }

  private func open(on connection: DragboardConnection) {
    let window = ShelfWindow(of: application.opaque, on: connection)
    self.window = window
    connect(window.widget, "destroy") { [weak self] _ in self?.window = nil }
    gtk_window_present(window.widget.of())
  }
}
