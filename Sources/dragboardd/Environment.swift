import Glibc

/// The process's environment, or an invented one for tests.
struct Environment {
  private let variables: [String: String]

  init(_ variables: [String: String]) { self.variables = variables }

  init() {
    var variables: [String: String] = [:]
    var entry = environ
    while let start = entry.pointee {
      let text = String(cString: start)
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      variables[String(parts[0])] = parts.count == 2 ? String(parts[1]) : ""
      entry += 1
    }
    self.init(variables)
  }

  /// The variable's value; nil if it is unset or empty.
  subscript(name: String) -> String? {
    variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether the bus started the process by activation, or systemd started it as a service.
  ///
  /// Such a process can exit, because the next call starts it again.
  ///
  /// Source: the D-Bus specification, "Message Bus Starting Services"; systemd.exec(5),
  /// `$SYSTEMD_EXEC_PID`.
  var isOfService: Bool {
    self["DBUS_STARTER_ADDRESS"] != nil || self["SYSTEMD_EXEC_PID"] == "\(getpid())"
  }

  /// Returns the variables whose names have this prefix, sorted by name, without the prefix.
  func variables(beginningWith prefix: String) -> [(name: String, value: String)] {
    variables.filter { $0.key.hasPrefix(prefix) }
      .map { (String($0.key.dropFirst(prefix.count)), $0.value) }
      .sorted { $0.name < $1.name }
  }

  /// Returns a base directory of the XDG specification.
  ///
  /// If the variable is unset or relative, the result is a directory in HOME; nil if HOME is also
  /// unset or relative.
  ///
  /// Source: XDG Base Directory Specification.
  func directory(_ variable: String, orHome path: String) -> String? {
    if let directory = self[variable], directory.hasPrefix("/") { return directory }
    guard let home = self["HOME"], home.hasPrefix("/") else { return nil }
    return home + "/" + path
  }
}
