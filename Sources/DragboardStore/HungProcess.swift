internal import Files
internal import Glibc

/// A process that has exited, but has a thread that the kernel cannot end.
///
/// Such a thread waits for the reply of a file system in user space. The process keeps its
/// descriptors until the file system replies or is unmounted.
enum HungProcess {
  /// The time for the end of a process that does not hang.
  private static let timeout = Duration.seconds(1)

  /// Returns whether a process of this user hangs.
  ///
  /// It waits until the process has ended, but at most for a second.
  static func isHung(_ process: Int32) -> Bool {
    let start = SuspendingClock.now
    while process > 0, process != getpid(), kill(process, 0) == 0 {
      if SuspendingClock.now - start >= timeout {
        return isZombie(process) && threadCount(of: process) > 1
      }
      usleep(10_000)
    }
    return false
  }

  /// Returns whether the main thread of a process has ended.
  private static func isZombie(_ process: Int32) -> Bool {
    var status: [UInt8] = []
    let file = try? FileDescriptor(opening: "/proc/\(process)/stat", O_RDONLY)
    _ = try? file?.forEachPiece(upTo: 4_096) { piece in
      status += piece
      return true
    }
    // The name of the program, in parentheses, comes before the state.
    return String(decoding: status, as: UTF8.self).split(separator: ")").last?
      .hasPrefix(" Z") ?? false
  }

  private static func threadCount(of process: Int32) -> Int {
    var count = 0
    guard let listing = try? DirectoryListing("/proc/\(process)/task") else { return 0 }
    while let name = try? listing.next() { count += name.hasPrefix(".") ? 0 : 1 }
    return count
  }
}
