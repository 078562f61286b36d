/// The label that the kernel's security module gave a process when it connected to the bus.
///
/// - Snap: `snap.firefox.firefox (enforce)`
/// - AppArmor without a confined snap: `unconfined`, `/usr/bin/evince (enforce)`,
///   `snap.code.code (complain)`
/// - Another module: `unconfined_u:unconfined_r:unconfined_t:s0`
public enum SecurityLabel: Hashable, Sendable {
  /// The profile of a snap in enforce mode, which is the sandbox of the process.
  case snap(Confinement)
  /// A label of AppArmor without a confined snap.
  ///
  /// Classic snaps have no sandbox.
  case noSnap
  /// A label of another module, which says nothing about snaps.
  case foreign

  /// Parses a label as the bus reports it, with or without a zero byte at its end.
  public init(_ bytes: some Collection<UInt8>) {
    let label = ArraySlice(bytes.prefix { $0 != 0 })
    let (profile, mode) = Self.parts(of: label)
    let snap = Self.names(in: profile).lazy.compactMap { SnapName.confinement(of: $0) }.first
    if let snap {
      self = mode?.elementsEqual("complain".utf8) == true ? .noSnap : .snap(snap)
    } else {
      self = mode != nil || label.elementsEqual("unconfined".utf8) ? .noSnap : .foreign
    }
  }

  /// Splits `PROFILE (MODE)`.
  private static func parts(
    of label: ArraySlice<UInt8>
  ) -> (profile: ArraySlice<UInt8>, mode: ArraySlice<UInt8>?) {
    guard label.last == UInt8(ascii: ")"), let space = label.lastIndex(of: UInt8(ascii: " ")),
      label[label.index(after: space)] == UInt8(ascii: "(")
    else { return (label, nil) }
    return (label[..<space], label[space...].dropFirst(2).dropLast())
  }

  /// Returns the names of the stacked profiles, child profiles and namespaces in a label.
  private static func names(in profile: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    profile.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") }
      .map { $0.drop { $0 == UInt8(ascii: "&") } }
  }
}
