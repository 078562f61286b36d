internal import Glibc

/// A process, and the file from which its program was started.
///
/// An update replaces the file of a program, but a running process continues with the previous file.
public struct RunningProgram: Sendable {
  /// The process id.
  public let process: Int32
  /// The path of the program, which another file may have now.
  public let path: String
  private let file: FileIdentity

  /// This process; nil if the system does not have `/proc`.
  public static let own = RunningProgram(process: getpid())

  /// Finds the program of a process; nil if the process does not exist or belongs to another user.
  ///
  /// Source: proc_pid_exe(5).
  public init?(process: Int32) {
    let link = "/proc/\(process)/exe"
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    guard count > 0, let file = FileIdentity(link) else { return nil }
    let text = String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    // The system marks the path of a deleted file.
    let isMarked = text.hasSuffix(Self.mark) && FileIdentity(text) != file
    path = isMarked ? String(text.dropLast(Self.mark.count)) : text
    (self.process, self.file) = (process, file)
  }

  private static let mark = " (deleted)"

  /// Whether another version was installed since the process has started.
  public var isReplaced: Bool {
    guard access(path, X_OK) == 0, let installed = FileIdentity(path) else { return false }
    return installed != file
  }

  /// Runs the installed version in place of this process, whose program was replaced.
  ///
  /// A service of systemd exits instead, and systemd starts it again, because systemd ends a service
  /// that loses its name on the bus.
  ///
  /// - Parameter arguments: the arguments of the program.
  /// - Throws: the error of the system if the program cannot be started.
  public func restart(_ arguments: [String]) throws(SystemError) -> Never {
    if getenv("SYSTEMD_EXEC_PID").map({ String(cString: $0) }) == "\(process)" {
      // Handlers of libraries could wait for threads that are still in use.
      _exit(Self.restartStatus)
    }
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    execv(path, &words)
    let error = SystemError("execv")
    for word in words { free(word) }
    throw error
  }

  /// The exit status that requests a start of the installed version.
  ///
  /// The units of the services name it (`RestartForceExitStatus=`). It is EX_TEMPFAIL of sysexits.h.
  public static let restartStatus: Int32 = 75
}

/// The identity of a regular file, which remains while the file is open or runs.
private struct FileIdentity: Equatable {
  private let device: dev_t
  private let number: ino_t

  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    (device, number) = (status.st_dev, status.st_ino)
  }
}
