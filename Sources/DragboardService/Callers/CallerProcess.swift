import DBus
import Files

/// The process that made a connection, as the bus identifies it.
enum CallerProcess: Sendable {
  /// A pidfd, which always refers to the same process.
  case handle(FileDescriptor)
  /// A process number.
  ///
  /// A process with this number that started after `latestStart` is another process.
  case number(Int32, latestStart: BootTime)
}
