import CLinux
import DBus
import DragModel
import Files
import Glibc

/// The evidence in `/proc` about the process that made a connection.
///
/// An open directory of a process always refers to this process, like a pidfd. After the process
/// has exited, opening a file in the directory fails, even if another process has the number. The
/// inspection does not wait for a program or a network. So it looks into the process's root only if
/// the kernel serves the root directly.
public struct ProcessInspection {
  private let directory: FileDescriptor
  private let system: String

  /// Opens the directory of the process that made a connection; nil if the process has exited.
  init?(_ process: CallerProcess, in system: String = "/proc") {
    guard let number = Self.number(of: process), number > 0,
      let directory = try? Self.opened(clinux_open_directory(AT_FDCWD, "\(system)/\(number)"))
    else { return nil }
    (self.directory, self.system) = (directory, system)
    switch process {
    case .handle(let handle):
      // The process is alive, so it had this number when the directory was opened.
      guard clinux_has_exited(handle.number) == 0 else { return nil }
    case .number(_, let latestStart):
      guard let start, start <= latestStart else { return nil }
    }
  }

  /// Returns the evidence about the process with these credentials.
  ///
  /// `process` is nil if the bus does not identify the process.
  static func evidence(
    of credentials: Credentials, _ process: CallerProcess?, in system: String = "/proc"
  ) -> ConfinementEvidence {
    let inspection = process.flatMap { ProcessInspection($0, in: system) }
    return ConfinementEvidence(
      label: credentials.label, isInContainer: credentials.isInContainer,
      flatpakInfo: inspection?.flatpakInfo ?? .unreadable,
      controlGroups: inspection?.controlGroups ?? .unreadable)
  }

  // MARK: Numbers

  /// Returns the process's number; nil if the process of a pidfd has exited.
  ///
  /// Source: proc(5), `/proc/PID/fdinfo`.
  private static func number(of process: CallerProcess) -> Int32? {
    switch process {
    case .number(let number, _): return number
    case .handle(let handle):
      let text = try? bytes(AT_FDCWD, "/proc/self/fdinfo/\(handle.number)")
      let line = text?.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: "Pid:".utf8) }
      return line.flatMap { line in
        Int32(String(decoding: line.dropFirst(4).drop { $0 <= UInt8(ascii: " ") }, as: UTF8.self))
      }
    }
  }

  /// The time at which the process started.
  ///
  /// Source: proc(5), `/proc/PID/stat`: field 22. Field 2 is the program's name in parentheses,
  /// which the program chooses and which can contain any byte but zero.
  private var start: BootTime? {
    guard let text = try? Self.bytes(directory.number, "stat"),
      let end = text.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = text[end...].dropFirst().split(separator: UInt8(ascii: " "))
    guard fields.count > 19 else { return nil }
    return UInt64(String(decoding: fields[19], as: UTF8.self)).map { BootTime(ticks: $0) }
  }

  // MARK: Evidence

  /// The file `/.flatpak-info` in the process's root.
  var flatpakInfo: ConfinementEvidence.File {
    guard let mounts = mounts(of: directory.number), isLocal(mounts) else { return .unreadable }
    do throws(SystemError) {
      let root = try Self.opened(clinux_open_directory(directory.number, "root"))
      return Self.file(root.number, ".flatpak-info")
    } catch {
      // The kernel refuses access to processes that have secrets or more privileges. If such a
      // process has the same root as this process, it is not in a sandbox.
      let isOurs = error.code == EACCES && ownMounts.map(mounts.hasSameRoot) ?? false
      return isOurs ? .absent : .unreadable
    }
  }

  var controlGroups: ConfinementEvidence.File { Self.file(directory.number, "cgroup") }

  private var ownMounts: MountTable? {
    (try? Self.bytes(AT_FDCWD, "\(system)/self/mountinfo", atMost: Self.maxMountBytes))
      .map { MountTable($0) }
  }

  private func mounts(of directory: Int32) -> MountTable? {
    (try? Self.bytes(directory, "mountinfo", atMost: Self.maxMountBytes)).map { MountTable($0) }
  }

  private func isLocal(_ mounts: MountTable) -> Bool {
    mounts.isLocal(besides: nil) || mounts.isLocal(besides: ownMounts)
  }

  /// Returns whether the kernel serves a mount of this process without a program or a network.
  ///
  /// A mount of another namespace is not in the table of this process. So the result is false.
  public static func isLocal(mount number: UInt64) -> Bool {
    let table = try? bytes(AT_FDCWD, "/proc/self/mountinfo", atMost: maxMountBytes)
    return table.map { MountTable.isLocal(mount: number, in: $0) } ?? false
  }

  // MARK: Files

  /// The maximum size of a file, in bytes.
  ///
  /// The files of a real sandbox are smaller.
  private static let maxBytes = 1 << 20
  /// The maximum size of a table of mounts, in bytes.
  ///
  /// It is sufficient for about 20,000 mounts.
  private static let maxMountBytes = 4 << 20

  private static func file(_ directory: Int32, _ name: String) -> ConfinementEvidence.File {
    do throws(SystemError) { return .content(try bytes(directory, name)) } catch {
      return error.code == ENOENT ? .absent : .unreadable
    }
  }

  /// Returns the bytes of a regular file.
  private static func bytes(
    _ directory: Int32, _ name: String, atMost maxBytes: Int = maxBytes
  ) throws(SystemError) -> [UInt8] {
    let file = try opened(clinux_open_file(directory, name))
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = read(file.number, &buffer, buffer.count)
      guard count >= 0 else { throw SystemError("read") }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= maxBytes else { throw SystemError("read", code: EFBIG) }
    }
  }

  /// Adopts a descriptor that was just opened.
  ///
  /// If `number` is negative because opening has failed, throws the error in `errno`.
  private static func opened(_ number: Int32) throws(SystemError) -> FileDescriptor {
    guard number >= 0 else { throw SystemError("openat") }
    return FileDescriptor(adopting: number)
  }
}
