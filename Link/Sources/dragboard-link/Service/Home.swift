import Files
import Glibc
import LinkEngine
import LinkReplica
import LinkState
import Logging

/// The home directory in which the state of the link is used.
///
/// If the directory is copied to another machine or to another user, both copies would act as one
/// machine. So the copy becomes a machine of its own.
struct Home {
  private static let setting = "home"
  private static let origin = "copy-of"

  let store: ConfigurationStore
  let state: StateDatabase

  /// The installation of the system, the user and the directory.
  private var place: String { Self.place(of: store) }

  /// The installation of the system, the user and the directory of the state.
  static func place(of store: ConfigurationStore) -> String {
    let file = try? FileDescriptor(opening: "/etc/machine-id", O_RDONLY)
    let bytes = file?.read(64, at: 0) ?? []
    let system = String(decoding: bytes, as: UTF8.self).filter(\.isHexDigit)
    return "\(system) \(getuid()) \(store.stateDirectory)"
  }

  /// Returns the configuration of this machine, which gets a new identity if the home was copied.
  func configuration(_ configuration: LinkConfiguration) throws -> LinkConfiguration {
    let known = try state.setting(Self.setting)
    guard let known, known != place else {
      if known == nil { try state.setSetting(Self.setting, to: place) }
      return configuration
    }
    let copy = configuration.copied()
    try StoredReplica.renewAll(in: state)
    try store.save(copy)
    try state.setSetting(Self.origin, to: configuration.machineName)
    try state.setSetting(Self.setting, to: place)
    linkLog.notice(
      "\(Self.notice(of: copy.machineName, copiedFrom: configuration.machineName))")
    return copy
  }

  /// Returns a sentence about the machine of which this home is a copy; nil if it is not a copy, or
  /// if the group no longer has the other machine.
  static func notice(of name: String, in state: StateDatabase, machines: [String]) throws -> String?
  {
    guard let origin = try state.setting(Self.origin), machines.contains(origin) else { return nil }
    return notice(of: name, copiedFrom: origin)
  }

  private static func notice(of name: String, copiedFrom origin: String) -> String {
    "this home is a copy of that of \(origin), so this machine is now \(name) (if \(origin) no longer exists: dragboard link remove NAME)"
  }
}
