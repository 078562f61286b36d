import Glibc

/// The process's environment, or one that a test made up.
struct Environment {
  private let variables: [String: String]

  /// Those variables.
  init(_ variables: [String: String]) { self.variables = variables }

  /// The process's own.
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

  /// The variable's value; nil where it is unset or empty.
  subscript(name: String) -> String? {
    variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether the process was started by a bus that somebody called, or by systemd as a service: it can go, and comes back when called.
  ///
  /// Source: the D-Bus specification, "Message Bus Starting Services"; systemd.exec(5), `$SYSTEMD_EXEC_PID`.
  var isOfService: Bool {
    self["DBUS_STARTER_ADDRESS"] != nil || self["SYSTEMD_EXEC_PID"] == "\(getpid())"
  }

  /// The variables whose names begin so, sorted by name, the beginning taken off.
  func variables(beginningWith prefix: String) -> [(name: String, value: String)] {
    variables.filter { $0.key.hasPrefix(prefix) }
      .map { (String($0.key.dropFirst(prefix.count)), $0.value) }
      .sorted { $0.name < $1.name }
  }

  /// A base folder of the XDG specification, with what stands for it where it is unset or relative; nil where HOME is so, too.
  ///
  /// Source: XDG Base Directory Specification.
  func folder(_ variable: String, orHome path: String) -> String? {
    if let folder = self[variable], folder.hasPrefix("/") { return folder }
    guard let home = self["HOME"], home.hasPrefix("/") else { return nil }
    return home + "/" + path
  }
}
