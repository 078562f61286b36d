import Foundation

/// A file system of 2 MiB, for as long as the value lives.
public final class SmallDisk {
  /// The mount point.
  public let path: String
  private let folder: URL

  /// Mounts the file system.
  ///
  /// - Throws: the error of the system, for example if this process may not mount.
  public init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "disk-\(UUID().uuidString)")
    path = folder.path + "/disk"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Self.mount(path, 0)
  }

  deinit {
    umount2(path, Int32(MNT_DETACH))
    try? FileManager.default.removeItem(at: folder)
  }

  private static func mount(_ path: String, _ flags: UInt) throws {
    guard Foundation.mount("tmpfs", path, "tmpfs", flags, "size=2m") == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM)
    }
  }

  /// Makes the file system refuse every change, or accept changes again; no file may be open for
  /// writing.
  ///
  /// - Throws: the error of the system.
  public func setReadOnly(_ isReadOnly: Bool) throws {
    try Self.mount(path, UInt(MS_REMOUNT) | (isReadOnly ? UInt(MS_RDONLY) : 0))
  }

  /// Fills the free space, until ``makeRoom()``.
  public func fill() {
    let file = open(path + "/filler", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    defer { close(file) }
    for size in [65_536, 4_096, 1] {
      let bytes = [UInt8](repeating: 0, count: size)
      while write(file, bytes, size) == size {}
    }
  }

  /// Frees the space, even if a process that was started meanwhile has the file open.
  public func makeRoom() {
    truncate(path + "/filler", 0)
    unlink(path + "/filler")
  }

  /// Whether this process may mount this file system.
  public static let isPossible = (try? SmallDisk()) != nil
}
