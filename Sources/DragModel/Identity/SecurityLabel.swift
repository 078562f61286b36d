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

  /// Reads a label as the bus gives it, the zero byte at its end or not.
  public init(_ bytes: some Collection<UInt8>) {
    let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    let (profile, mode) = Self.parts(of: text)
    let snap = Self.names(in: profile).lazy.compactMap { SnapName.confinement(of: $0) }.first
    switch (snap, mode) {
    case (_?, "complain"): self = .noSnap
    case (let snap?, _): self = .snap(snap)
    case (nil, _?): self = .noSnap
    case (nil, nil): self = text == "unconfined" ? .noSnap : .foreign
    }
  }

  /// The profile and the mode in parentheses behind it.
  private static func parts(of text: String) -> (profile: Substring, mode: Substring?) {
    guard text.last == ")", let space = text.lastIndex(of: " "),
      text[text.index(after: space)] == "("
    else { return (text[...], nil) }
    return (text[..<space], text[space...].dropFirst(2).dropLast())
  }

  /// The profiles that hold at once, each without those below it.
  private static func names(in profile: Substring) -> [Substring] {
    profile.split { "/:".contains($0) }.map { $0.drop { $0 == "&" } }
  }
}
