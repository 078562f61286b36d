/// What is to be seen of the process that made a connection, and what that says of its sandbox: the one statement of it.
///
/// What cannot be seen is never taken for the absence of a sandbox.
public struct ConfinementEvidence: Hashable, Sendable {
  /// A file that a process in a sandbox has.
  public enum File: Hashable, Sendable {
    /// There is none.
    case absent
    /// The bytes of the file.
    case content([UInt8])
    /// Nobody can tell, or it is not what it should be.
    case unreadable
  }

  /// What the security module called it; nil where the bus gives no label.
  public let label: SecurityLabel?
  /// Whether the bus says that the connection comes out of a container.
  public let isInContainer: Bool
  /// `/.flatpak-info`, as the process sees it.
  public let flatpakInfo: File
  /// The control groups that the process is in.
  public let controlGroups: File

  /// Evidence of those parts.
  public init(
    label: SecurityLabel?, isInContainer: Bool, flatpakInfo: File, controlGroups: File
  ) {
    self.label = label
    self.isInContainer = isInContainer
    self.flatpakInfo = flatpakInfo
    self.controlGroups = controlGroups
  }

  /// What it says: a snap's label first, which is sure; then Flatpak's file; then, without a label of AppArmor's, the control groups.
  public var confinement: Confinement {
    if case .snap(let snap)? = label { return snap }
    switch flatpakInfo {
    case .content(let bytes):
      return FlatpakInfo.applicationID(in: bytes).map { .sandboxed($0) } ?? .doubtful
    case .unreadable: return .doubtful
    case .absent: break
    }
    switch (label, controlGroups) {
    case (.noSnap?, _), (_, .absent): break
    case (_, .unreadable): return .doubtful
    case (_, .content(let bytes)):
      if let snap = SnapName.confinement(inControlGroups: bytes) { return snap }
    }
    return isInContainer ? .doubtful : .unsandboxed
  }
}
