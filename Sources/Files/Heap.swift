internal import CLinux

/// The memory of the allocator.
public enum Heap {
  /// Returns freed memory to the system.
  ///
  /// The allocator retains most of it for later use.
  public static func trim() { clinux_malloc_trim() }

  /// Lets all threads share their free memory; must be called before a second thread starts.
  ///
  /// By default, each thread of a task can leave memory that only few other threads use.
  public static func useOneArena() { clinux_use_one_arena() }
}
