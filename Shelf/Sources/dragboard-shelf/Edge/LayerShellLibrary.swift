import Glibc

/// gtk4-layer-shell, by which a GTK window becomes a layer of a Wayland compositor, where it is installed.
///
/// It stands between GTK and Wayland's own library, and so has to be loaded before both: the program starts itself again with it.
enum LayerShellLibrary {
  private static let name = "libgtk4-layer-shell.so.0"
  private static let variable = "LD_PRELOAD"

  /// Has the library loaded; called before anything else, and returns in the process that goes on.
  static func load() {
    let preloaded = value(of: variable)?.split(separator: ":") ?? []
    if preloaded.first == name[...] { return restore(preloaded.dropFirst()) }
    guard value(of: "WAYLAND_DISPLAY") != nil, value(of: "GDK_BACKEND") != "x11",
      dlopen(name, RTLD_LAZY) != nil, let program = program()
    else { return }
    setenv(variable, ([name[...]] + preloaded).joined(separator: ":"), 1)
    execv(program, CommandLine.unsafeArgv)
    // It goes on without the library.
    restore(preloaded[...])
  }

  /// What this process starts is not to have the library.
  private static func restore(_ preloaded: ArraySlice<Substring>) {
    if preloaded.isEmpty {
      unsetenv(variable)
    } else {
      setenv(variable, preloaded.joined(separator: ":"), 1)
    }
  }

  private static func value(of name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static func program() -> String? {
    guard let path = realpath("/proc/self/exe", nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }
}
