/// The evidence about the process behind a connection, and the rules that derive its sandbox.
///
/// Missing evidence never proves that there is no sandbox.
public struct ConfinementEvidence: Hashable, Sendable {
  /// A file that shows whether a process is in a sandbox.
  public enum File: Hashable, Sendable {
    /// The file does not exist.
    case absent
    /// The bytes of the file.
    case content([UInt8])
    /// The file could not be read or is not a regular file.
    case unreadable
  }

  /// The label of the security module; nil if the bus does not report one.
  public let label: SecurityLabel?
  /// Whether the bus reports that the connection comes from a container.
  public let isInContainer: Bool
  /// The file `/.flatpak-info` in the root of the process.
  public let flatpakInfo: File
  /// The control groups of the process.
  public let controlGroups: File

  /// Creates evidence.
  public init(
    label: SecurityLabel?, isInContainer: Bool, flatpakInfo: File, controlGroups: File
  ) {
    self.label = label
    self.isInContainer = isInContainer
    self.flatpakInfo = flatpakInfo
    self.controlGroups = controlGroups
  }

  /// The sandbox that follows from the evidence.
  ///
  /// The rules apply in this order: the label of a snap, which is reliable; the file of Flatpak;
  /// the control groups, if AppArmor did not label the process.
  public var confinement: Confinement {
    if case .snap(let snap)? = label { return snap }
    switch flatpakInfo {
    case .content(let bytes):
      return FlatpakInfo.applicationID(in: bytes).map { .sandboxed($0) } ?? .unverified
    case .unreadable: return .unverified
    case .absent: break
    }
    switch (label, controlGroups) {
    case (.noSnap?, _), (_, .absent): break
    case (_, .unreadable): return .unverified
    case (_, .content(let bytes)):
      if let snap = SnapName.confinement(inControlGroups: bytes) { return snap }
    }
    return isInContainer ? .unverified : .unsandboxed
  }
}
