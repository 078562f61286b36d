import DBus
import DragModel

/// `org.dragboard.CallerInspector1`, between the daemon and the part of it that is not confined; no part of the contract.
enum InspectorInterface {
  /// The interface's name.
  static let name: InterfaceName = "org.dragboard.CallerInspector1"
  /// Who has it on the session bus.
  static let busName: BusName = "org.dragboard.CallerInspector1"
  /// The object that has it.
  static let path: ObjectPath = "/org/dragboard/CallerInspector1"

  /// What is seen of the process that made the connection with that unique name: `SeenFiles`.
  static let inspect = MethodDeclaration<
    Arguments<String>, Arguments<[String: [UInt8]], [String]>
  >(name, "Inspect", in: "connection", out: "contents", "absent")
}

/// What is seen of a process's files, as it goes over the bus: what they hold, and which there are not.
///
/// What is in neither could not be read.
struct SeenFiles: Sendable {
  let contents: [String: [UInt8]]
  let absent: [String]

  private static let flatpakInfoName = "flatpak-info"
  private static let controlGroupsName = "control-groups"

  /// What the other side says.
  init(contents: [String: [UInt8]], absent: [String]) {
    (self.contents, self.absent) = (contents, absent)
  }

  /// What the evidence says of files.
  init(_ evidence: ConfinementEvidence) {
    var contents: [String: [UInt8]] = [:]
    var absent: [String] = []
    for (name, file) in [
      (Self.flatpakInfoName, evidence.flatpakInfo),
      (Self.controlGroupsName, evidence.controlGroups),
    ] {
      switch file {
      case .content(let text): contents[name] = Array(text.utf8)
      case .absent: absent.append(name)
      case .unreadable: break
      }
    }
    self.init(contents: contents, absent: absent)
  }

  /// `/.flatpak-info`, as the process sees it.
  var flatpakInfo: ConfinementEvidence.File { file(Self.flatpakInfoName) }
  /// The control groups that the process is in.
  var controlGroups: ConfinementEvidence.File { file(Self.controlGroupsName) }

  private func file(_ name: String) -> ConfinementEvidence.File {
    if let bytes = contents[name] { return .content(String(decoding: bytes, as: UTF8.self)) }
    return absent.contains(name) ? .absent : .unreadable
  }
}
