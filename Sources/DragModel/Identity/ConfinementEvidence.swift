/// What is to be seen of the process that made a connection, and what that says of its sandbox: the one statement of it.
///
/// What cannot be seen is never taken for the absence of a sandbox.
public struct ConfinementEvidence: Hashable, Sendable {
  /// A file that a process in a sandbox has.
  public enum File: Hashable, Sendable {
    /// There is none.
    case absent
    /// There is one, which says this.
    case content(String)
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
    case .content(let text):
      return FlatpakInfo.applicationID(in: text).map { .sandboxed($0) } ?? .doubtful
    case .unreadable: return .doubtful
    case .absent: break
    }
    switch (label, controlGroups) {
    case (.noSnap?, _), (_, .absent): break
    case (_, .unreadable): return .doubtful
    case (_, .content(let text)):
      if let snap = SnapName.confinement(inControlGroups: text) { return snap }
    }
    return isInContainer ? .doubtful : .unsandboxed
  }

  /// Whether somebody who sees more could tell what this does not.
  public var isWanting: Bool {
    confinement == .doubtful && (flatpakInfo == .unreadable || controlGroups == .unreadable)
  }

  /// The same, with what somebody else saw in place of what could not be read.
  public func completed(by flatpakInfo: File, _ controlGroups: File) -> ConfinementEvidence {
    ConfinementEvidence(
      label: label, isInContainer: isInContainer,
      flatpakInfo: self.flatpakInfo == .unreadable ? flatpakInfo : self.flatpakInfo,
      controlGroups: self.controlGroups == .unreadable ? controlGroups : self.controlGroups)
  }
}
