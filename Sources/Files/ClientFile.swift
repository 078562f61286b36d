internal import CLinux
internal import Glibc

/// A regular file that a client has passed as a descriptor.
public struct ClientFile: Sendable {
  /// The number of bytes when the file was passed.
  public let byteCount: Int
  /// Whether the bytes cannot change, so that they need not be copied.
  public let isSealed: Bool
  /// Whether the file is known to be in memory or on a disk of this machine, so that a read cannot
  /// hang.
  ///
  /// It is false for all file systems without a device. ``mountNumber`` tells which of these are
  /// local, such as btrfs, and which are not, such as FUSE and network file systems.
  public let isLocal: Bool
  private let descriptor: FileDescriptor

  /// The reason why a descriptor is not a readable file.
  public enum Fault: Error, Hashable, Sendable {
    /// The system does not report the kind of file.
    case unknown(SystemError)
    /// The file is a pipe, a directory, a device, or of another kind; the value is a noun with its
    /// article.
    case wrongKind(String)
    /// The file was not opened for reading.
    case unreadable
  }

  /// Adopts a descriptor.
  ///
  /// - Throws: `Fault` if the descriptor is a pipe, a directory, a device, or a file that cannot be
  ///   read.
  public init(_ descriptor: FileDescriptor) throws(Fault) {
    var (mode, size) = (UInt32(0), Int64(0))
    let number = descriptor.number
    guard clinux_stat(number, &mode, &size) == 0 else { throw .unknown(SystemError("statx")) }
    guard mode & S_IFMT == S_IFREG else { throw .wrongKind(Self.kind(mode)) }
    guard clinux_is_readable(number) != 0 else { throw .unreadable }
    self.descriptor = descriptor
    isSealed =
      clinux_is_sealed(number) != 0 && clinux_seal_growing(number) == 0 && number < Self.maxNumber
    isLocal = isSealed || clinux_is_local(number) != 0
    // The size is read again, because the file may have grown before it was sealed.
    _ = clinux_stat(number, &mode, &size)
    byteCount = Int(size)
  }

  /// The number of the mount of the file; nil if the system does not report it.
  public var mountNumber: UInt64? {
    let number = clinux_mount_number(descriptor.number)
    return number > 0 ? UInt64(number) : nil
  }

  private static func kind(_ mode: mode_t) -> String {
    switch mode & S_IFMT {
    case S_IFIFO: "a pipe"
    case S_IFDIR: "a directory"
    case S_IFCHR, S_IFBLK: "a device"
    case S_IFSOCK: "a socket"
    default: "a file of another kind"
    }
  }

  /// The upper bound of the numbers of retained descriptors: half of the process's limit.
  ///
  /// The other half is left for the process.
  private static let maxNumber: Int32 = {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    return Int32(clamping: limit.rlim_cur / 2)
  }()

  /// Calls `body` with the bytes in order, piece by piece, until it returns false.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of bytes.
  ///   - body: called with the next bytes; returns false to stop.
  /// - Returns: whether all bytes up to the limit were read.
  /// - Throws: `FileError` if the file cannot be read.
  @discardableResult
  public func forEachPiece(
    upTo limit: Int, _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(FileError) -> Bool {
    try descriptor.forEachPiece(upTo: limit, body)
  }

  /// Opens the file again, for reading only, with a separate offset; returns nil if the client
  /// prevents it.
  ///
  /// The client can prevent it by removing all permissions from the file, or by holding a lease for
  /// which an open would have to wait. Both do not affect reads through the passed descriptor.
  public func reopened() -> FileDescriptor? { try? descriptor.reopened() }
}

extension ClientFile.Fault: CustomStringConvertible {
  /// The problem and the expected file.
  public var description: String {
    switch self {
    case .unknown(let error): "\(error) (expected a regular file or a memfd)"
    case .wrongKind(let kind): "the file is \(kind) (expected a regular file or a memfd)"
    case .unreadable: "the file is not open for reading (expected an open file for reading)"
    }
  }
}
