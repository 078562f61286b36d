public import Files
public import LinkState
internal import Glibc

/// The directory of the link's configuration, which only the user can read.
public struct ConfigurationStore: Sendable {
  /// The directory of the configuration.
  public let directory: String
  /// The directory of the state and of the service's report.
  public let stateDirectory: String

  /// Creates a store of the keys in `directory` and of all other files in `stateDirectory`.
  public init(directory: String, stateDirectory: String) {
    self.directory = directory
    self.stateDirectory = stateDirectory
  }

  /// The directories of the current user: `$XDG_CONFIG_HOME/dragboard/link` and
  /// `$XDG_STATE_HOME/dragboard/link`.
  public static var ofUser: ConfigurationStore {
    // Without a home directory, the directories cannot be created, and the error names them.
    func directory(_ directory: Environment.BaseDirectory) -> String {
      (Environment.directory(directory) ?? "") + "/dragboard/link"
    }
    return ConfigurationStore(
      directory: directory(.configuration), stateDirectory: directory(.state))
  }

  /// The path of the configuration file.
  public var path: String { directory + "/config" }

  /// Whether this machine has been set up or has joined.
  public var exists: Bool { access(path, F_OK) == 0 }

  /// The error if other users can read the configuration file.
  public struct Exposure: Error, Hashable, Sendable, CustomStringConvertible {
    let path: String
    /// The file, the problem and the remedy.
    public var description: String {
      "\(path): other users can read the keys (chmod 600, then remove and invite this machine again)"
    }
  }

  /// Reads the configuration; nil if this machine is not in a group.
  public func load() throws -> LinkConfiguration? {
    guard exists else { return nil }
    let text = try text(ofSecret: path)
    do {
      return try LinkConfiguration(text: text)
    } catch {
      throw LinkConfiguration.Problem(path, error.description)
    }
  }

  /// Reads a file that only the user can read.
  func text(ofSecret path: String) throws -> String {
    let file = try FileDescriptor(opening: path, O_RDONLY)
    var status = stat()
    guard fstat(file.number, &status) == 0 else { throw FileError(path: path) }
    guard status.st_mode & 0o077 == 0 else { throw Exposure(path: path) }
    guard let bytes = file.read(try file.byteCount(), at: 0),
      let text = String(validating: bytes, as: UTF8.self)
    else { throw FileError(path: path, code: EIO) }
    return text
  }

  /// Writes the configuration.
  ///
  /// After a crash, the file has either the old or the new configuration.
  public func save(_ configuration: LinkConfiguration) throws(FileError) {
    try prepare()
    try AtomicFile.write(Array(configuration.text.utf8), to: path)
  }

  /// Writes the keys of a configuration that was read earlier.
  ///
  /// Another program may have changed the address of the server since.
  func saveKeys(of configuration: LinkConfiguration) throws {
    var configuration = configuration
    if let latest = try load() {
      (configuration.server, configuration.hostEpoch) = (latest.server, latest.hostEpoch)
    }
    try save(configuration)
  }

  /// Continues with the server of another host.
  ///
  /// If two machines have taken over from a lost host, both have the same number. `isChosen` states that
  /// the user has chosen one of them.
  ///
  /// - Returns: false if this machine follows this host or a later one already, so that nothing changed.
  public func follow(_ move: HostMove, named name: String, isChosen: Bool = false) throws -> Bool {
    guard var configuration = try load(), let host = configuration.server.host,
      host.certificate != move.certificate,
      move.epoch > configuration.hostEpoch || isChosen && move.epoch == configuration.hostEpoch,
      let server = move.server(named: name, login: host.login)
    else { return false }
    (configuration.server, configuration.hostEpoch) = (server, move.epoch)
    try save(configuration)
    try updateRoute { route in
      switch route {
      // The earlier server still tells machines that were offline about the new host.
      case .hosted(var server):
        server.phase = .retired
        route = .hosted(server)
      case .tunnel: route = nil
      case nil: break
      }
    }
    return true
  }

  /// Opens the state of the link, and imports the files of an earlier version.
  ///
  /// `isService` states whether the caller has the lock of the service.
  public func openState(isService: Bool = false) throws -> StateDatabase {
    try prepare()
    let state = try StateDatabase(in: stateDirectory, isService: isService)
    // In an earlier version, this file existed if drags did not cross machines.
    let path = directory + "/drags-off"
    if access(path, F_OK) == 0 {
      try state.setSharesDrags(false)
      guard unlink(path) == 0 || errno == ENOENT else { throw FileError(path: path) }
    }
    return state
  }

  /// Removes the configuration, the trails with their entries and the report.
  public func remove() throws {
    guard unlink(path) == 0 || errno == ENOENT else { throw FileError(path: path) }
    // If `save` was interrupted by a crash, a temporary file with the keys remains.
    for directory in [directory, stateDirectory] { AtomicFile.removeLeftovers(in: directory) }
    // Earlier versions named this file `config.` and a number.
    let folder = try? FileDescriptor(opening: directory, O_RDONLY | O_DIRECTORY)
    for name in (try? folder?.names()) ?? [] where name.hasPrefix("config.") {
      unlink("\(directory)/\(name)")
    }
    unlink(stateDirectory + "/report")
    try openState().removeTrails()
  }

  /// Creates both directories.
  public func prepare() throws(FileError) {
    for directory in [directory, stateDirectory] {
      var path = ""
      for part in directory.split(separator: "/") {
        path += "/\(part)"
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileError(path: path) }
      }
    }
  }
}

extension StateDatabase {
  /// Whether drags cross machines.
  public var sharesDrags: Bool { (try? setting("drags")) ?? nil != "off" }

  /// Whether the bytes of files cross that the user drags from the shelf.
  public var sharesDraggedFiles: Bool { (try? setting("drags")) ?? nil == "files" }

  /// Sets whether drags cross machines, and whether the bytes of files cross that the user drags from
  /// the shelf.
  public func setSharesDrags(_ isOn: Bool, withFiles: Bool = false) throws {
    try setSetting("drags", to: isOn ? (withFiles ? "files" : nil) : "off")
  }

  /// Whether the user has paused the exchange of edits and drags.
  public var isPaused: Bool { (try? setting("paused")) ?? nil == "on" }

  /// Sets whether the exchange of edits and drags is paused.
  public func setPaused(_ isPaused: Bool) throws {
    try setSetting("paused", to: isPaused ? "on" : nil)
  }

  /// Whether the files to which rows of a board refer cross machines.
  public func sharesFiles(ofLog log: String) -> Bool {
    (try? setting("files \(log)")) ?? nil == "on"
  }

  /// Sets whether the files to which rows of a board refer cross machines.
  public func setSharesFiles(_ isOn: Bool, ofLog log: String) throws {
    try setSetting("files \(log)", to: isOn ? "on" : nil)
  }
}
