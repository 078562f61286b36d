import Files

/// The finding about a root directory at which the daemon cannot recognise sandboxes.
///
/// The daemon compares the mounts at the roots of processes. In a `chroot` into a directory that is
/// not a mount, it takes every caller for a sandboxed one, and returns rows without their content.
enum RootFinding {
  /// Returns the fault of this process's root, or of the daemon's; nil if there is no fault.
  ///
  /// Source: proc(5), `/proc/PID/mountinfo`.
  static func examine(daemon: Int32?) -> Finding? {
    let processes = ["self"] + (daemon.map { [String($0)] } ?? [])
    return processes.lazy.compactMap(fault).first
  }

  private static func fault(of process: String) -> Finding? {
    guard let table = try? InputFile(path: "/proc/\(process)/mountinfo").bytes() else {
      // The daemon can end at any time. The own table is missing only if there is no /proc.
      guard process == "self" else { return nil }
      return Finding(
        .bad, "root", "/proc is not mounted, so the daemon takes every caller for a sandboxed one",
        remedy: "mount -t proc proc /proc")
    }
    let points = table.split(separator: UInt8(ascii: "\n")).map {
      $0.split(separator: UInt8(ascii: " ")).dropFirst(4).first
    }
    guard !points.contains([UInt8(ascii: "/")]) else { return nil }
    return Finding(
      .bad, "root",
      "no file system is mounted at /, so the daemon takes every caller for a sandboxed one and hides the rows",
      remedy: "Before the chroot: mount --bind DIRECTORY DIRECTORY")
  }
}
