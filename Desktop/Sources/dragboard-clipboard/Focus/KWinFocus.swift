import ClipboardModel
import DBus
import Files
import Glibc
import Logging

/// The focus that KWin reports by a script of the bridge.
///
/// The reports come on the bus, and copies on Wayland. So the order of a copy and a report is known
/// only after KWin has answered a later call.
@ClipboardActor final class KWinFocus: FocusSource {
  nonisolated static let path: ObjectPath = "/org/dragboard/Focus"
  nonisolated static let interface: InterfaceName = "org.dragboard.Focus1"
  private static let focus = MethodDeclaration<Arguments<String, String, String>, Arguments<>>(
    interface, "Focus", in: "window", "application", "title")
  private static let open = MethodDeclaration<Arguments<String, String, Bool>, Arguments<>>(
    interface, "Open", in: "window", "application", "open")

  private enum KWin {
    static let name: BusName = "org.kde.KWin"
    static let path: ObjectPath = "/Scripting"
    static let interface: InterfaceName = "org.kde.kwin.Scripting"
    static let load = MethodDeclaration<Arguments<String, String>, Arguments<Int32>>(
      interface, "loadScript", in: "filePath", "pluginName", out: "number")
    static let unload = MethodDeclaration<Arguments<String>, Arguments<Bool>>(
      interface, "unloadScript", in: "pluginName", out: "done")
    static let isLoaded = MethodDeclaration<Arguments<String>, Arguments<Bool>>(
      interface, "isScriptLoaded", in: "pluginName", out: "loaded")
    static let run = MethodDeclaration<Arguments<>, Arguments<>>("org.kde.kwin.Script", "run")
  }

  private static let timeout = Duration.seconds(5)
  private static let error = ReadError.system("KWin does not report the application of the copy")

  /// A connection of its own, because only KWin may call here, and because the answers of KWin
  /// must come after its reports.
  private let bus: Connection
  private let server: ObjectServer
  /// The focus as KWin has reported it.
  let watch = FocusWatch("kwin-script")
  /// The unique name of KWin; nil if it is not on the bus.
  private var owner: String?

  var recentApplications: RecentApplications { watch.recentApplications }

  var name: String? { owner == nil ? nil : watch.name }

  /// Connects to the bus, and loads the script if KWin is there.
  ///
  /// - Returns: nil if KWin is not on the bus, or does not run the script.
  init?(on loop: EventLoop) async {
    do throws(DBusError) {
      bus = try Connection(on: loop)
      server = ObjectServer(bus)
      owner = try await bus.call(
        BusInterface.getNameOwner, at: BusInterface.path, of: .bus, KWin.name.text)
    } catch { return nil }
    export()
    bus.names.watchOwner(of: KWin.name) { [unowned self] in change(owner: $0) }
    guard await load() else { return nil }
  }

  private func export() {
    server.willAnswer = { [unowned self] call, _ throws(DBusError) in
      guard call.sender == owner else {
        throw DBusError(.accessDenied, "only KWin may report the focus")
      }
    }
    var table = InterfaceTable<KWinFocus, Call>(Self.interface)
    table.method(Self.focus) { (focus, _, window, application, title) throws(DBusError) in
      focus.watch.handle(
        onlyFocused: window.isEmpty
          ? nil : FocusedWindow(id: window, application: application, title: title))
    }
    table.method(Self.open) { (focus, _, window, application, isOpen) throws(DBusError) in
      focus.watch.handle(window, of: application, isOpen: isOpen)
    }
    server.export(Self.path, [ObjectInterface(table, of: self)])
  }

  private func change(owner: String?) {
    self.owner = owner
    watch.forget()
    if owner != nil { Task { await load() } }
  }

  /// Loads the script, in place of the script of an earlier bridge.
  private func load() async -> Bool {
    do {
      let script = try ScriptFile(KWinScript.text(receiver: bus.uniqueName))
      defer { script.remove() }
      _ = try await bus.call(
        KWin.unload, at: KWin.path, of: KWin.name, timeout: Self.timeout, KWinScript.name)
      let number = try await bus.call(
        KWin.load, at: KWin.path, of: KWin.name, timeout: Self.timeout, script.path,
        KWinScript.name)
      guard number >= 0 else { return false }
      do throws(DBusError) { try await run("/Scripting/Script\(number)") } catch {
        // The path in KWin 5.
        try await run("/\(number)")
      }
      return true
    } catch {
      log.warning("KWin does not report the focused application: \(error)")
      return false
    }
  }

  private func run(_ path: String) async throws(DBusError) {
    try await bus.call(
      KWin.run, at: ObjectPath(unchecked: path), of: KWin.name, timeout: Self.timeout)
  }

  func windowsOfCopy(_ completion: @escaping (Result<[FocusedWindow], ReadError>) -> Void) {
    let time = ContinuousClock.now
    settle { [unowned self] isReported in
      completion(isReported ? .success(watch.windows(at: time)) : .failure(Self.error))
    }
  }

  func settle(_ completion: @escaping (Bool) -> Void) {
    bus.call(
      KWin.isLoaded, at: KWin.path, of: KWin.name, timeout: Self.timeout, KWinScript.name
    ) { [unowned self] reply in
      // Another program may have unloaded the script.
      if case .success(false) = reply { Task { await load() } }
      if case .success(true) = reply { completion(true) } else { completion(false) }
    }
  }
}

/// A file that KWin reads.
private struct ScriptFile {
  let path: String

  init(_ text: String) throws {
    // KWin has the same user. Other users must not be able to write the script.
    guard let directory = Environment["XDG_RUNTIME_DIR"] else {
      throw BackendError(description: "XDG_RUNTIME_DIR is not set")
    }
    path = "\(directory)/dragboard-focus-\(getpid()).js"
    try AtomicFile.write(Array(text.utf8), to: path)
  }

  func remove() { unlink(path) }
}
