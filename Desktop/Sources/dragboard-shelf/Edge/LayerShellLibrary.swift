import Glibc

/// The library gtk4-layer-shell, which turns a GTK window into a layer of a Wayland compositor.
///
/// It is optional, and must be loaded before GTK and the Wayland library. So the program restarts
/// itself with the library.
enum LayerShellLibrary {
  private static let name = "libgtk4-layer-shell.so.0"
  private static let variable = "LD_PRELOAD"

  /// Loads the library if it is installed.
  ///
  /// Must be called before all other functions.
  ///
  /// Restarts the program if the library must be loaded. So the code after the call runs only once.
  static func load() {
    let preloaded = value(of: variable)?.split(separator: ":") ?? []
    if preloaded.first == name[...] { return restore(preloaded.dropFirst()) }
    guard value(of: "WAYLAND_DISPLAY") != nil, value(of: "GDK_BACKEND") != "x11",
      dlopen(name, RTLD_LAZY) != nil, let program = program()
    else { return }
    setenv(variable, ([name[...]] + preloaded).joined(separator: ":"), 1)
    execv(program, CommandLine.unsafeArgv)
    // If the restart fails, continue without the library.
    restore(preloaded[...])
  }

  /// Removes the library from the environment, so that child processes do not load it.
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
