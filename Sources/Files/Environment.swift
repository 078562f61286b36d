internal import Glibc

/// The environment variables of a process.
public struct Environment: Sendable {
  private let variables: [String: String]

  /// Creates an environment with these variables.
  public init(_ variables: [String: String]) { self.variables = variables }

  /// Creates an environment from entries such as `HOME=/home/ada`.
  ///
  /// If entries have the same name, the first of them has effect.
  ///
  /// Source: environ(7); the rule for names is that of `getenv`.
  public init(entries: [String]) {
    variables = entries.reduce(into: [:]) { variables, entry in
      let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      if variables[name] == nil { variables[name] = parts.count == 2 ? String(parts[1]) : "" }
    }
  }

  /// Copies the environment of this process.
  public init() {
    var entries: [String] = []
    var entry = environ
    while let start = entry.pointee {
      entries.append(String(cString: start))
      entry += 1
    }
    self.init(entries: entries)
  }

  /// The variable's value; nil if it is unset or empty.
  public subscript(name: String) -> String? {
    variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The value of a variable of this process; nil if it is unset or empty.
  public static subscript(name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the variables whose names have this prefix, sorted by name, without the prefix.
  public func variables(beginningWith prefix: String) -> [(name: String, value: String)] {
    variables.filter { $0.key.hasPrefix(prefix) }
      .map { (String($0.key.dropFirst(prefix.count)), $0.value) }
      .sorted { $0.name < $1.name }
  }
}

extension Environment {
  /// A kind of files of a user, each of which has a directory.
  ///
  /// Source: XDG Base Directory Specification.
  public enum BaseDirectory: String, CaseIterable, Sendable {
    /// Data of the user, such as boards.
    case data = "XDG_DATA_HOME"
    /// Settings.
    case configuration = "XDG_CONFIG_HOME"
    /// Files that should survive a restart, but matter less than data.
    case state = "XDG_STATE_HOME"
    /// Files that can be deleted at any time.
    case cache = "XDG_CACHE_HOME"

    /// The default, relative to the home directory.
    fileprivate var inHome: String {
      switch self {
      case .data: ".local/share"
      case .configuration: ".config"
      case .state: ".local/state"
      case .cache: ".cache"
      }
    }
  }

  /// Returns the path of a base directory, which need not exist.
  ///
  /// The specification requires programs to ignore a relative path. If the variable is unset or
  /// relative, the result is a directory in HOME; nil if HOME is also unset or relative.
  public func directory(_ directory: BaseDirectory) -> String? {
    if let path = self[directory.rawValue], path.hasPrefix("/") { return path }
    guard let home = self["HOME"], home.hasPrefix("/") else { return nil }
    return home + "/" + directory.inHome
  }

  /// Returns the path of a base directory of this process.
  public static func directory(_ directory: BaseDirectory) -> String? {
    var variables: [String: String] = [:]
    for name in [directory.rawValue, "HOME"] { variables[name] = self[name] }
    return Environment(variables).directory(directory)
  }
}
