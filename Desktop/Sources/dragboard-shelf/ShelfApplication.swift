import CGtk4
import DragboardClient
import Glibc
import Logging
import ShelfModel

/// The program.
///
/// Each session has one process, which owns `org.dragboard.Shelf` on the session bus.
@main
final class ShelfApplication {
  /// The name of the program on the bus and in the desktop.
  static let id = "org.dragboard.Shelf"

  private let application = made(adw_application_new(id, G_APPLICATION_DEFAULT_FLAGS))
  private let settingsAction = made(g_simple_action_new("settings", nil))
  private let edgeAction = Make.action("edge", choosing: ShelfSettings.edge.name)
  private let pickerAction = Make.action(takingText: "picker")
  private let openingAction = Make.action("open-for-drags", isOn: ShelfSettings.opensForDrags)
  private let shortcutAction = Make.action(
    "picker-shortcut", isOn: ShelfSettings.hasPickerShortcut)
  private let restartAction = made(g_simple_action_new("restart", nil))
  /// Opens the shelf for drags; nil if the user has not turned this on, or if it is impossible.
  private var opener: DragOpener?
  /// The shortcut of the picker; nil if the user has not turned it on.
  private var shortcut: PickerShortcut?
  /// Nil until it is opened for the first time.
  private var picker: Picker?
  /// Whether this process was started only for the picker, so that it shows no shelf.
  private var isStartedForPicker = false
  /// The window beside the pointer; nil until the shelf opens for drags.
  private var pointerWindow: ShelfWindow?
  private var connection: DragboardConnection? {
    didSet { if oldValue == nil, let connection { update.follow(on: connection) } }
  }
  private lazy var update = ShelfUpdate(of: application.opaque) { [weak self] in
    (self?.window, self?.pointerWindow)
  }
  private var window: ShelfWindow?
  private var settings: SettingsWindow?
  private var isOpening = false
  /// Whether the last attempt to connect to the bus has failed.
  private var isDisconnected = false
  /// The window that shows why the shelf cannot open.
  private var failure: Widget?

  /// Runs until the last window is closed.
  ///
  /// The exit status is 1 if the bus could not be reached.
  static func main() {
    FilePreviewReader.runIfRequested()
    setlocale(LC_ALL, "")
    Localization.read(in: directoryOfTranslations)
    LayerShellLibrary.load()
    MainLoop.adoptMainActor()
    let shelf = ShelfApplication()
    exit(shelf.run())
  }

  /// The directory `share/locale` beside the directory of the program.
  private static var directoryOfTranslations: String {
    guard let own = Programs.own else { return "/usr/share/locale" }
    let parts = own.split(separator: "/").dropLast(2)
    return "/" + (parts + ["share", "locale"]).joined(separator: "/")
  }

  private func run() -> Int32 {
    CommandLineOptions.declare(on: application.of()) { [self] edge in
      try activateElsewhere("edge", edge.side.name)
    } openPicker: { [self] board in
      isStartedForPicker = true
      return try activateElsewhere("picker", board)
    }
    connect(application, "startup") { [self] _ in
      Style.apply()
      FilePortal.look()
      ExportedFile.removeExpired()
      let actions = [
        edgeAction, openingAction, pickerAction, shortcutAction, settingsAction, restartAction,
      ]
      for action in actions {
        g_action_map_add_action(application.opaque, action)
      }
      followDrags()
      followShortcut()
    }
    connect(settingsAction, "activate") { [self] _ in showSettings() }
    connect(restartAction, "activate") { [self] _ in update.restartAll() }
    connect(pickerAction, "activate") { [self] in openPicker(on: $0.text(ofVariant: 1) ?? "") }
    connect(edgeAction, "change-state") { [self] in
      if let name = $0.text(ofVariant: 1), let edge = Edge(name: name) { setEdge(edge.side) }
    }
    connect(openingAction, "change-state") { [self] in
      if let opens = $0.bool(ofVariant: 1) { setOpensForDrags(opens) }
    }
    connect(shortcutAction, "change-state") { [self] in
      if let isOn = $0.bool(ofVariant: 1) { setHasShortcut(isOn) }
    }
    connect(application, "activate") { [self] _ in activate() }
    let status = g_application_run(
      application.of(), CommandLine.argc, CommandLine.unsafeArgv)
    return status == 0 && isDisconnected ? 1 : status
  }

  /// Shows the window and gives it the keyboard focus.
  ///
  /// The first activation creates the window.
  private func activate() {
    if isStartedForPicker {
      isStartedForPicker = false
      return
    }
    if let window { return window.present() }
    open { $0.present() }
  }

  /// Activates an action of the session's shelf, which may run in this process.
  ///
  /// - Returns: whether the shelf runs in another process.
  private func activateElsewhere(_ action: String, _ argument: String) throws -> Bool {
    var error: UnsafeMutablePointer<GError>?
    guard g_application_register(application.of(), nil, &error) != 0 else {
      defer { g_error_free(error) }
      throw CommandLineOptions.Refusal(
        description: error.map { String(cString: $0.pointee.message) } ?? "not registered")
    }
    g_action_group_activate_action(
      application.opaque, action, g_variant_new_string(argument))
    guard g_application_get_is_remote(application.of()) != 0 else { return false }
    g_dbus_connection_flush_sync(g_application_get_dbus_connection(application.of()), nil, nil)
    return true
  }

  // MARK: The picker

  /// Opens the picker on a board; "" is the board of the clipboard.
  ///
  /// From then on, the program continues to run without a window, so that the picker opens at once.
  private func openPicker(on board: String) {
    if let picker { return picker.open(on: board) }
    g_application_hold(application.of())
    Task {
      do {
        let connection =
          if let connection { connection } else { try await DragboardConnection.connect() }
        self.connection = connection
        let picker =
          picker
          ?? Picker(on: connection, of: application.opaque) { [application] in
            Notification.show($0, of: application.opaque)
          }
        self.picker = picker
        picker.open(on: board)
      } catch {
        isDisconnected = true
        log.error("\(error)")
        g_application_release(application.of())
      }
    }
  }

  // MARK: The window

  /// Moves the shelf to a side of the screen, where it stays closed; nil makes it an ordinary
  /// window.
  private func setEdge(_ side: ScreenSide?) {
    g_simple_action_set_state(edgeAction, g_variant_new_string(side.name))
    defer { settings?.show(edge: side) }
    let isOther = ShelfSettings.edge != side
    if isOther { ShelfSettings.edge = side }
    preparePointerWindow()
    if window == nil { return open { $0.appear() } }
    if isOther, let connection { replaceWindow(on: connection) }
  }

  private func open(_ show: @escaping (ShelfWindow) -> Void) {
    guard !isOpening else { return }
    isOpening = true
    g_application_hold(application.of())
    Task {
      defer {
        isOpening = false
        g_application_release(application.of())
      }
      do {
        let connection = try await DragboardConnection.connect()
        self.connection = connection
        isDisconnected = false
        let window = makeWindow(on: connection)
        await window.untilReady()
        show(window)
        if let failure { gtk_window_close(failure.of()) }
      } catch {
        isDisconnected = true
        log.error("\(error)")
        showFailure { [self] in open(show) }
      }
    }
  }

  /// Shows a window with the error and a button that tries again.
  private func showFailure(retry: @escaping () -> Void) {
    guard failure == nil else { return }
    let window = made(adw_application_window_new(application.of()))
    failure = window
    let status = StatusView(retry: retry)
    status.show(.noBus)
    status.widget.expand()
    gtk_window_set_title(window.of(), localized("Shelf"))
    gtk_window_set_default_size(window.of(), ShelfSettings.size.width, ShelfSettings.size.height)
    adw_application_window_set_content(
      window.of(),
      Make.box(GTK_ORIENTATION_VERTICAL, made(adw_header_bar_new()), status.widget))
    connect(window, "destroy") { [weak self] _ in self?.failure = nil }
    gtk_window_present(window.of())
  }

  private func makeWindow(on connection: DragboardConnection) -> ShelfWindow {
    let window = ShelfWindow(of: application.opaque, on: connection, at: .chosen)
    self.window = window
    answer(window.widget, "close-request") { [weak window] _ in
      window?.close()
      return .handled(false)
    }
    connect(window.widget, "destroy") { [weak self, weak window] _ in
      if self?.window === window { self?.window = nil }
    }
    return window
  }

  private func showSettings() {
    guard let connection, let window else { return }
    if settings == nil {
      let settings = SettingsWindow(
        on: connection, setEdge: { [weak self] in self?.setEdge($0) },
        setOpensForDrags: { [weak self] in self?.setOpensForDrags($0) },
        setShortcut: { [weak self] in
          self?.setHasShortcut($0)
        },
        didReorder: { [weak self] in self?.window?.tabs.adoptOrder() })
      // The builder of the window keeps it, so "destroy" would come only after `settings` has been
      // released.
      connect(settings.widget, "unrealize") { [weak self] _ in
        self?.settings?.close()
        self?.settings = nil
      }
      self.settings = settings
      settings.show(shortcut)
    }
    settings?.present(over: window.widget)
  }

  // MARK: The shortcut

  private func setHasShortcut(_ isOn: Bool) {
    g_simple_action_set_state(shortcutAction, g_variant_new_boolean(isOn ? 1 : 0))
    ShelfSettings.hasPickerShortcut = isOn
    followShortcut()
  }

  /// Watches the shortcut of the picker if the user has turned it on.
  ///
  /// The program then continues to run without a window.
  private func followShortcut() {
    guard ShelfSettings.hasPickerShortcut != (shortcut != nil) else { return }
    if shortcut == nil {
      g_application_hold(application.of())
      let shortcut = PickerShortcut(ShelfSettings.pickerKeys)
      self.shortcut = shortcut
      shortcut.onPress = { [application] in
        g_action_group_activate_action(application.opaque, "picker", g_variant_new_string(""))
      }
      shortcut.onChange = { [weak self] in self?.settings?.show(self?.shortcut) }
    } else {
      shortcut = nil
      g_application_release(application.of())
    }
    settings?.show(shortcut)
  }

  // MARK: Drags of other programs

  private func setOpensForDrags(_ opens: Bool) {
    g_simple_action_set_state(openingAction, g_variant_new_boolean(opens ? 1 : 0))
    if ShelfSettings.opensForDrags != opens { ShelfSettings.opensForDrags = opens }
    settings?.showOpening()
    followDrags()
  }

  /// Watches drags if the user has turned this on.
  ///
  /// The program then continues to run without a window.
  private func followDrags() {
    let opener = ShelfSettings.opensForDrags ? self.opener ?? DragOpener() : nil
    guard opener !== self.opener else { return }
    if opener == nil {
      g_application_release(application.of())
    } else {
      g_application_hold(application.of())
    }
    self.opener = opener
    opener?.open = { [weak self] in self?.openForDrag() }
    opener?.close = { [weak self] in
      for window in [self?.window, self?.pointerWindow] { window?.dock?.setBegun(false) }
    }
    preparePointerWindow()
    // On Wayland, a strip at the edge becomes thin, or thick again.
    if window?.isAtEdge == true, window?.dock?.isThin != (opener?.placement.isThin ?? false),
      let connection
    {
      replaceWindow(on: connection)
    }
  }

  /// Opens the shelf at the edge, if it is there, and else beside the pointer.
  private func openForDrag() {
    // The shelf itself can be the source.
    guard [window, pointerWindow].allSatisfy({ $0?.drags.carried == nil }) else { return }
    if let dock = window?.dock { return dock.setBegun(true) }
    preparePointerWindow()
    pointerWindow?.dock?.setBegun(true)
  }

  /// Creates the window beside the pointer in advance, because that takes longer than a short drag,
  /// or destroys it if it is not needed.
  private func preparePointerWindow() {
    // A shelf at the edge is itself the strip.
    guard let opener, opener.placement.isHiddenWhenClosed || ShelfSettings.edge == nil else {
      guard let pointerWindow else { return }
      pointerWindow.close()
      gtk_window_destroy(pointerWindow.widget.of())
      self.pointerWindow = nil
      return
    }
    guard pointerWindow == nil else { return }
    guard let connection else {
      // Without a bus, the next drag tries again.
      Task { [weak self] in
        guard let connection = try? await DragboardConnection.connect(), let self else { return }
        self.connection = self.connection ?? connection
        preparePointerWindow()
      }
      return
    }
    let window = ShelfWindow(
      of: application.opaque, on: connection, at: .pointer(opener.placement))
    if opener.placement.isHiddenWhenClosed {
      gtk_window_set_title(window.widget.of(), localized("Shelf at the Pointer"))
    }
    answer(window.widget, "close-request") { [weak window] _ in
      window?.dismiss()
      return .handled(true)
    }
    if !opener.placement.isHiddenWhenClosed { window.appear() }
    pointerWindow = window
  }

  /// Replaces the window, because an existing window cannot move to the edge or away from it.
  private func replaceWindow(on connection: DragboardConnection) {
    let old = window
    let new = makeWindow(on: connection)
    new.appear()
    settings?.present(over: new.widget)
    if let old { gtk_window_close(old.widget.of()) }
  }
}
