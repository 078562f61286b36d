import DBus
import Files

/// The process that made a connection, in the form in which the bus identifies it.
enum CallerProcess: Sendable {
  /// A pidfd, which always refers to the same process.
  case handle(FileDescriptor)
  /// A process number.
  ///
  /// If the process with this number started after `latestStart`, it is another process.
  case number(Int32, latestStart: BootTime)
}
