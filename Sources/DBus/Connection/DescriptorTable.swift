import Files
import Glibc

/// The file descriptors of this process.
enum DescriptorTable {
  /// The maximum number of open descriptors.
  static var limit: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    return Int(clamping: limit.rlim_cur)
  }

  /// Whether fewer than a quarter of the descriptors are free.
  ///
  /// The kernel assigns the lowest free number, so the number of a new descriptor shows how many
  /// are in use.
  static var isAlmostFull: Bool {
    let spare = FileDescriptor(adopting: fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0))
    return spare.number < 0 || Int(spare.number) >= limit / 4 * 3
  }
}
