import Files
import Glibc

/// The file descriptors that this process may have open.
enum DescriptorTable {
  /// How many they are: the process's limit.
  static var limit: Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    return Int(clamping: limit.rlim_cur)
  }

  /// Whether fewer than a quarter are left.
  ///
  /// A new descriptor has the lowest number that is free.
  static var isAlmostFull: Bool {
    let spare = FileDescriptor(adopting: fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0))
    return spare.number < 0 || Int(spare.number) >= limit / 4 * 3
  }
}
