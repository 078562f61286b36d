import Glibc

/// A pipe(2) that child processes do not inherit.
struct Pipe: ~Copyable {
  /// The read end; -1 after it is closed.
  private(set) var reading: Int32
  /// The write end; -1 after it is closed.
  private(set) var writing: Int32

  /// - Throws: `system`.
  init() throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .system("pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    for end in [reading, writing] where end >= 0 { close(end) }
  }

  mutating func closeReading() {
    close(reading)
    reading = -1
  }

  mutating func closeWriting() {
    close(writing)
    writing = -1
  }

  /// Returns the write end, which the caller then owns.
  consuming func takeWriting() -> Int32 {
    defer { writing = -1 }
    return writing
  }

  /// Returns the read end, which the caller then owns.
  consuming func takeReading() -> Int32 {
    defer { reading = -1 }
    return reading
  }
}
