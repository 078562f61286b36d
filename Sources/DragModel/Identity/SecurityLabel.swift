/// What the kernel's security module called a process when it connected to the bus.
///
/// - Snap: `snap.firefox.firefox (enforce)`
/// - AppArmor, and no snap that it holds: `unconfined`, `/usr/bin/evince (enforce)`, `snap.code.code (complain)`
/// - Another module: `unconfined_u:unconfined_r:unconfined_t:s0`
public enum SecurityLabel: Hashable, Sendable {
  /// The profile of a snap, which AppArmor enforces; it is the process's sandbox.
  case snap(Confinement)
  /// A label of AppArmor's, but of no snap that it holds: classic ones are in no sandbox.
  case noSnap
  /// A label that tells nothing of snaps.
  case foreign

  /// Reads a label as the bus gives it, with or without the zero byte at its end.
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

  /// Returns the profiles that apply together, each without its children.
  private static func names(in profile: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    profile.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") }
      .map { $0.drop { $0 == UInt8(ascii: "&") } }
  }
}
