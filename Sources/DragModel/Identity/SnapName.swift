/// The name of a snap, as contained in its security profile and in its control group.
///
/// Source: snapd, "Security policy and sandboxing": profiles are called `snap.NAME.APP`, groups
/// `snap.NAME.APP-….scope`.
enum SnapName {
  /// Returns the sandbox that a profile or a control group belongs to; nil if it belongs to no
  /// snap.
  ///
  /// The sandbox is `snap.NAME`, or unverified if this is not a valid id.
  static func confinement(of name: ArraySlice<UInt8>) -> Confinement? {
    let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels[0].elementsEqual("snap".utf8), labels.count >= 3 else { return nil }
    let id = "snap.\(String(decoding: labels[1], as: UTF8.self))"
    return (try? ApplicationID(id)).map { .sandboxed($0) } ?? .unverified
  }

  /// Returns the snap of a process's control groups; nil if no group belongs to a snap.
  ///
  /// Source: cgroups(7), `/proc/PID/cgroup`: lines of `number:controllers:path`.
  static func confinement(inControlGroups bytes: [UInt8]) -> Confinement? {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(
        separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      for group in fields[2].split(separator: UInt8(ascii: "/")) {
        if let snap = confinement(of: group) { return snap }
      }
    }
    return nil
  }
}
