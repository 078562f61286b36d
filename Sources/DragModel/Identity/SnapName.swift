/// The name of a snap, as the security module's profile and the control group of its processes bear it.
///
/// Source: snapd, "Security policy and sandboxing": profiles are called `snap.NAME.APP`, groups `snap.NAME.APP-….scope`.
enum SnapName {
  /// What the processes of a snap are in: `snap.NAME`, or doubtful where that is no id; nil for what is not called so.
  static func confinement(of text: some StringProtocol) -> Confinement? {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    guard labels[0] == "snap", labels.count >= 3 else { return nil }
    guard let id = try? ApplicationID("snap.\(labels[1])") else { return .doubtful }
    return .sandboxed(id)
  }

  /// The snap that a process's control groups are of; nil where they are of none.
  ///
  /// Source: cgroups(7), `/proc/PID/cgroup`: lines of `number:controllers:path`.
  static func confinement(inControlGroups text: String) -> Confinement? {
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      for group in fields[2].split(separator: "/") {
        if let snap = confinement(of: group) { return snap }
      }
    }
    return nil
  }
}
