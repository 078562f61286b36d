/// The mounts that decide where a process's `/.flatpak-info` is looked up.
///
/// Source: proc(5), `/proc/PID/mountinfo`.
struct MountTable {
  private typealias Bytes = ArraySlice<UInt8>

  private struct Mount {
    let number: Bytes
    let device: Bytes
    let type: Bytes

    /// Whether the kernel serves the file system without a program or a network.
    var isLocal: Bool { MountTable.localTypes.contains { type.elementsEqual($0.utf8) } }
  }

  /// The mounts at the root, and the mounts at the file itself.
  ///
  /// The last mount at the root covers the other mounts there.
  private var roots: [Mount] = []
  private var files: [Mount] = []

  /// Reads a process's table of mounts, and ignores malformed lines.
  init(_ text: [UInt8]) {
    for line in text.split(separator: UInt8(ascii: "\n")) {
      guard let (mount, point) = Self.mount(line) else { continue }
      if point.elementsEqual("/".utf8) { roots.append(mount) }
      if point.elementsEqual("/.flatpak-info".utf8) { files.append(mount) }
    }
  }

  /// Returns the mount of a line, and its mount point; nil for a malformed line.
  private static func mount(_ line: Bytes) -> (Mount, point: Bytes)? {
    let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
    guard fields.count == 6 else { return nil }
    // The optional fields end with a dash. The next field is the type.
    let rest = fields[5].split(separator: UInt8(ascii: " ")).drop { $0 != [UInt8(ascii: "-")] }
    guard let type = rest.dropFirst().first else { return nil }
    return (Mount(number: fields[0], device: fields[2], type: type), fields[4])
  }

  /// Returns whether both processes have the same mount as their root.
  ///
  /// A mount belongs to one mount namespace, and every sandbox has its own mount namespace.
  func hasSameRoot(as other: MountTable) -> Bool {
    guard let root = roots.last, let otherRoot = other.roots.last else { return false }
    return root.number == otherRoot.number
  }

  /// Returns whether `/.flatpak-info` can be looked up without waiting for a program or a network.
  ///
  /// `own` is the table of this process. A mount on the same device as a root of `own` is also
  /// allowed, because this process depends on that file system in any case.
  func isLocal(besides own: MountTable?) -> Bool {
    let devices = own?.roots.map(\.device) ?? []
    return !roots.isEmpty
      && (roots + files).allSatisfy { devices.contains($0.device) || $0.isLocal }
  }

  /// Returns whether the kernel serves a mount without a program or a network.
  ///
  /// - Parameters:
  ///   - number: the number of the mount.
  ///   - text: the table of a process that has the mount.
  /// - Returns: the answer; false for a mount that is not in the table.
  static func isLocal(mount number: UInt64, in text: [UInt8]) -> Bool {
    let start = Array("\(number) ".utf8)
    let line = text.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: start) }
    return line.flatMap { mount($0)?.0.isLocal } ?? false
  }

  /// The file systems that the kernel serves from memory or a disk, without a program or a network.
  ///
  /// An overlay can have layers of other types. It is included, because only an unsandboxed process
  /// can mount it.
  private static let localTypes = [
    "tmpfs", "overlay", "ext4", "btrfs", "xfs", "squashfs", "f2fs", "zfs", "bcachefs", "erofs",
    "ext3", "ext2", "ramfs", "rootfs",
  ]
}
