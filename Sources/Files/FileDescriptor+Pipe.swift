internal import CLinux

extension FileDescriptor {
  /// Makes a pipe, which programs do not inherit.
  ///
  /// The corresponding C function is `pipe2`.
  ///
  /// - Parameter isBlocking: whether a read waits for bytes. If a program gets the read end, it must wait,
  ///   because most programs expect it.
  /// - Returns: the two ends.
  /// - Throws: the error, such as `EMFILE`.
  public static func makePipe(
    isBlocking: Bool = true
  ) throws(SystemError) -> (reading: FileDescriptor, writing: FileDescriptor) {
    var ends: [Int32] = [-1, -1]
    guard clinux_pipe(&ends, isBlocking ? 1 : 0) == 0 else { throw SystemError("pipe2") }
    return (FileDescriptor(adopting: ends[0]), FileDescriptor(adopting: ends[1]))
  }
}
