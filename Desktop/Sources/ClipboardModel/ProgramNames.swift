/// The names of a running program, with which an exclusion is compared.
///
/// The kernel cuts off the name of a process after 15 bytes, so the program's file and its first
/// arguments are names, too.
public struct ProgramNames: Hashable, Sendable {
  /// The name of the process; "" if it is unknown.
  public let process: String
  /// All names: of the process, of its files, and the paths of these files.
  public let all: [String]

  /// Collects the names of a program.
  ///
  /// - Parameters:
  ///   - process: the name of the process.
  ///   - file: the path of the program's file; "" if it is unknown.
  ///   - arguments: the first arguments, beginning with argument 0.
  public init(process: String = "", file: String = "", arguments: [String] = []) {
    self.process = process
    // The kernel adds this to the path of a file that a package manager has replaced.
    let deleted = " (deleted)"
    let file = file.hasSuffix(deleted) ? String(file.dropLast(deleted.count)) : file
    let programs = [file, arguments.first ?? ""]
    var paths = programs
    var names = [process] + programs.map(Self.name)
    if programs.contains(where: { Self.isInterpreter(Self.name($0)) }),
      let script = arguments.dropFirst().first(where: { !$0.hasPrefix("-") })
    {
      paths.append(script)
      // The script of an Electron application is `app.asar` in a directory with its name.
      names += [Self.name(script), Self.directory(script)]
    }
    all = Array(Set(names + paths).subtracting([""])).sorted()
  }

  /// Collects the names of an application that a window names.
  ///
  /// - Parameter id: the id of the application, such as `org.keepassxc.KeePassXC`, or the class of
  ///   the window. The last part of an id is a name, too, because it is usually the program's name.
  public init(applicationID id: String) {
    process = ""
    let id = id.hasSuffix(".desktop") ? String(id.dropLast(8)) : id
    let last = id.split(separator: ".").last.map(String.init) ?? ""
    all = Array(Set([id, last]).subtracting([""])).sorted()
  }

  /// The programs whose first argument without `-` is the path of a script, without versions.
  private static let interpreters: Set<String> = [
    "bash", "cli", "dash", "electron", "gjs", "gjs-console", "guile", "java", "ksh", "lua", "mono",
    "mono-sgen", "node", "nodejs", "perl", "php", "pypy", "python", "qml", "ruby", "sh", "tclsh",
    "wish", "zsh",
  ]

  /// Returns whether a program runs scripts: `python3.11`, `electron37`.
  private static func isInterpreter(_ name: String) -> Bool {
    let version: Set<Character> = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "."]
    let end = name.lastIndex { !version.contains($0) }
    return end.map { interpreters.contains(String(name[...$0])) } ?? false
  }

  /// Returns the last component of a path.
  private static func name(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? ""
  }

  /// Returns the name of the directory of a file.
  private static func directory(_ path: String) -> String {
    path.split(separator: "/").dropLast().last.map(String.init) ?? ""
  }
}
