import DBus
import Files

/// The process that made a connection, as the bus identifies it.
enum CallerProcess: Sendable {
  /// A pidfd, which never comes to mean another process.
  case handle(FileDescriptor)
  /// A number. A process with that number that started later than `latestStart` is another one.
  case number(Int32, latestStart: BootTime)
}
