import CLinux
import DBus
import DragModel
import Glibc

/// What can be seen in `/proc` of the process that made a connection.
///
/// The folder of a process, once it is open, is that process's alone: what is asked through it fails when the process is gone, whoever
/// has its number then. The process's own file systems are asked, too, so it may take as long as they like.
struct ProcessInspection {
  private let folder: FileDescriptor
  private let system: String

  /// Opens the process's folder; nil where there is no such process any more.
  ///
  /// - Parameters:
  ///   - credentials: what the bus says of the process; by a pidfd its number is that of no other.
  ///   - system: where the folders of processes are.
  init?(_ credentials: Credentials, in system: String = "/proc") {
    let number = credentials.process.flatMap(Self.processID) ?? credentials.processID
    guard let number, number > 0,
      let folder = try? Self.opened(clinux_open_folder(AT_FDCWD, "\(system)/\(number)"))
    else { return nil }
    // Alive now, it had its number when the folder was opened.
    if let process = credentials.process, clinux_has_exited(process.number) != 0 { return nil }
    (self.folder, self.system) = (folder, system)
  }

  /// What is seen of the process with those credentials.
  static func evidence(
    of credentials: Credentials, in system: String = "/proc"
  ) -> ConfinementEvidence {
    let inspection = ProcessInspection(credentials, in: system)
    return ConfinementEvidence(
      label: credentials.label, isInContainer: credentials.isInContainer,
      flatpakInfo: inspection?.flatpakInfo ?? .unreadable,
      controlGroups: inspection?.controlGroups ?? .unreadable)
  }

  /// The number of a pidfd's process; -1 where it is gone.
  ///
  /// Source: proc(5), `/proc/PID/fdinfo`.
  private static func processID(of process: FileDescriptor) -> Int32 {
    let text = try? text(AT_FDCWD, "/proc/self/fdinfo/\(process.number)")
    let line = text?.split(separator: "\n").first { $0.hasPrefix("Pid:") }
    return line.flatMap { Int32($0.dropFirst(4).drop { $0 == "\t" || $0 == " " }) } ?? -1
  }

  /// Whether this process is in another user namespace than the system's: processes outside of it cannot be looked into then.
  ///
  /// Source: user_namespaces(7), "User and group ID mappings": the system's has every id as itself.
  static let isConfined: Bool = {
    let map = try? text(AT_FDCWD, "/proc/self/uid_map")
    return map?.split(whereSeparator: \.isWhitespace) != ["0", "0", "4294967295"]
  }()

  // MARK: What there is to see

  /// `/.flatpak-info` in the process's root.
  var flatpakInfo: ConfinementEvidence.File {
    do throws(SystemError) {
      let root = try Self.opened(clinux_open_folder(folder.number, "root"))
      return Self.file(root.number, ".flatpak-info")
    } catch {
      // A process that nobody may look into, for it holds secrets or more rights, is in no sandbox where it has our mounts.
      return error.code == EACCES && hasOurMounts ? .absent : .unreadable
    }
  }

  /// The control groups that it is in.
  var controlGroups: ConfinementEvidence.File { Self.file(folder.number, "cgroup") }

  /// Whether its root is this process's: no mount is in two mount namespaces, and every sandbox has one of its own.
  private var hasOurMounts: Bool {
    guard let own = try? Self.text(AT_FDCWD, "\(system)/self/mountinfo"),
      let theirs = try? Self.text(folder.number, "mountinfo"), let root = Self.rootMount(in: own)
    else { return false }
    return root == Self.rootMount(in: theirs)
  }

  /// The number of the mount that a process has as its root.
  ///
  /// Source: proc(5), `/proc/PID/mountinfo`: the first field of a line is the number, the fifth the place.
  static func rootMount(in text: String) -> String? {
    let roots = text.split(separator: "\n").map { $0.split(separator: " ") }
      .filter { $0.count > 4 && $0[4] == "/" }
    return roots.last.map { String($0[0]) }
  }

  // MARK: Files

  /// The most bytes of a file that are looked at: a longer one is none that a sandbox has.
  private static let mostBytes = 1 << 20

  private static func file(_ folder: Int32, _ name: String) -> ConfinementEvidence.File {
    do throws(SystemError) { return .content(try text(folder, name)) } catch {
      return error.code == ENOENT ? .absent : .unreadable
    }
  }

  /// What a regular file holds.
  private static func text(_ folder: Int32, _ name: String) throws(SystemError) -> String {
    let file = try opened(clinux_open_file(folder, name))
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = read(file.number, &buffer, buffer.count)
      guard count >= 0 else { throw SystemError("read") }
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
      guard bytes.count <= mostBytes else { throw SystemError("read", code: EFBIG) }
    }
  }

  /// Takes over a descriptor that was just opened, or says why there is none.
  private static func opened(_ number: Int32) throws(SystemError) -> FileDescriptor {
    guard number >= 0 else { throw SystemError("openat") }
    return FileDescriptor(adopting: number)
  }
}
