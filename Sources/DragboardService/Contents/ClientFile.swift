import CLinux
import DBus
import Glibc

/// A file that a client has handed over, found to be one.
struct ClientFile: Sendable {
  /// How many bytes it held when it was handed over.
  let byteCount: Int
  /// Whether nobody can change what it holds: then it need not be copied.
  let isSealed: Bool
  /// What reading it may have to wait for.
  let workKind: WorkKind
  private let descriptor: FileDescriptor

  /// Takes a descriptor for what it should be.
  ///
  /// - Throws: InvalidArgs for a pipe, a folder, a device, or what cannot be read from.
  init(_ descriptor: FileDescriptor, argument: String = "fd") throws(DBusError) {
    var (mode, size) = (UInt32(0), Int64(0))
    guard clinux_stat(descriptor.number, &mode, &size) == 0 else {
      throw DBusError(.invalidArgs, "\(argument): \(SystemError("statx"))")
    }
    guard mode & S_IFMT == S_IFREG else {
      throw DBusError(
        .invalidArgs, "\(argument) is \(Self.kind(mode)); a regular file or a memfd is needed")
    }
    guard clinux_is_readable(descriptor.number) != 0 else {
      throw DBusError(
        .invalidArgs, "\(argument) cannot be read from; it has to be opened for reading")
    }
    self.descriptor = descriptor
    isSealed =
      clinux_is_sealed(descriptor.number) != 0 && clinux_seal_growing(descriptor.number) == 0
      && descriptor.number < Self.mostKept
    workKind = isSealed ? .storage : Self.isLocal(descriptor) ? .localFile : .remoteFile
    // Asked for once more: it may have grown until it was sealed.
    _ = clinux_stat(descriptor.number, &mode, &size)
    byteCount = Int(size)
  }

  /// Whether the kernel reads the file by itself, from memory or a disk.
  ///
  /// btrfs, overlay and other file systems of the kernel have no device, as FUSE and networks have
  /// none: the table of mounts tells them apart.
  private static func isLocal(_ descriptor: FileDescriptor) -> Bool {
    if clinux_is_local(descriptor.number) != 0 { return true }
    let mount = clinux_mount_number(descriptor.number)
    return mount > 0 && ProcessInspection.isLocal(mount: mount)
  }

  private static func kind(_ mode: mode_t) -> String {
    switch mode & S_IFMT {
    case S_IFIFO: "a pipe"
    case S_IFDIR: "a folder"
    case S_IFCHR, S_IFBLK: "a device"
    case S_IFSOCK: "a socket"
    default: "no file"
    }
  }

  /// Descriptors past that are not kept, for the process needs some to work with: half of what it may have.
  private static let mostKept: Int32 = {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    return Int32(clamping: limit.rlim_cur / 2)
  }()

  /// Shows what it holds from its first byte on, piece by piece, at most that many bytes.
  func forEachPiece<Failure: Error>(
    upTo limit: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(PieceError<Failure>) {
    try descriptor.forEachPiece(upTo: limit, body)
  }

  /// Opens the file once more, for reading only, with an offset of its own; nil if the client does not
  /// let it be opened.
  ///
  /// The client can take all permissions from the file, or hold a lease that an opening would have to
  /// wait for. Reading through the descriptor that it handed over needs neither.
  ///
  /// Source: proc(5), `/proc/pid/fd`; fcntl(2), "Leases".
  func reopened() -> FileDescriptor? {
    let number = open("/proc/self/fd/\(descriptor.number)", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    return number >= 0 ? FileDescriptor(adopting: number) : nil
  }
}
