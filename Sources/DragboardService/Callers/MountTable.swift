import DragboardStore

/// The mounts that decide where a process's `/.flatpak-info` is looked up.
///
/// Source: proc(5), `/proc/PID/mountinfo`.
struct MountTable {
  private typealias Payload = ArraySlice<UInt8>

  private struct Mount {
    let number: Payload
    let device: Payload
    let type: Payload
  }

  /// The mounts at the root, the last of which covers the others, and those at the file itself.
  private var roots: [Mount] = []
  private var files: [Mount] = []

  /// Reads a process's table; malformed lines are ignored.
  init(_ text: [UInt8]) {
    for line in text.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard fields.count == 6 else { continue }
      let isRoot = fields[4].elementsEqual("/".utf8)
      guard isRoot || fields[4].elementsEqual("/.flatpak-info".utf8) else { continue }
      // Optional fields end with a dash; the type comes next.
      let rest = fields[5].split(separator: UInt8(ascii: " ")).drop { $0 != [UInt8(ascii: "-")] }
      guard let type = rest.dropFirst().first else { continue }
      let mount = Mount(number: fields[0], device: fields[2], type: type)
      if isRoot { roots.append(mount) } else { files.append(mount) }
    }
  }

  /// Returns whether both processes have the same mount as their root.
  ///
  /// No mount is in two mount namespaces, and every sandbox has a namespace of its own.
  func hasSameRoot(as other: MountTable) -> Bool {
    guard let root = roots.last, let otherRoot = other.roots.last else { return false }
    return root.number == otherRoot.number
  }

  /// Returns whether `/.flatpak-info` can be looked up without waiting for a program or a network.
  ///
  /// The process that looks depends on the file system of its `own` root anyway.
  func isLocal(besides own: MountTable?) -> Bool {
    let devices = own?.roots.map(\.device) ?? []
    return !roots.isEmpty
      && (roots + files).allSatisfy { mount in
        devices.contains(mount.device)
          || Self.localTypes.contains { mount.type.elementsEqual($0.utf8) }
      }
  }

  /// File systems that the kernel serves by itself, from memory or a disk.
  ///
  /// An overlay can have layers of other types; only an unsandboxed process can mount it.
  private static let localTypes = [
    "tmpfs", "overlay", "ext4", "btrfs", "xfs", "squashfs", "f2fs", "zfs", "bcachefs", "erofs",
    "ext3", "ext2", "ramfs", "rootfs",
  ]
}
