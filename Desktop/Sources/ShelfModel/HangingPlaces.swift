/// The file systems and directories in which the read of a file has hung.
///
/// Files there are not read for a while, because each read could occupy a process until its
/// deadline, or longer: a process that waits for a file system may be impossible to kill.
public struct HangingPlaces: Sendable {
  private var ends: [String: ContinuousClock.Instant] = [:]

  /// The time after which files of a place are read again.
  public static let pause = Duration.seconds(60)

  /// Creates an empty value.
  public init() {}

  /// Records that the read of a file has hung.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - mounts: the text of `/proc/self/mountinfo`.
  ///   - now: the current time.
  public mutating func note(_ path: String, mounts: String, at now: ContinuousClock.Instant) {
    ends = ends.filter { $0.value > now }
    ends[Self.place(of: path, mounts)] = now + Self.pause
  }

  /// Returns whether a file is in a place in which a read has hung.
  public func contains(_ path: String, at now: ContinuousClock.Instant) -> Bool {
    guard ends.contains(where: { $0.value > now }) else { return false }
    let parts = Self.normalized(path).split(separator: "/")
    return parts.indices.contains { end in
      ends["/" + parts[..<end].joined(separator: "/")].map { $0 > now } ?? false
    }
  }

  /// Returns the mount point of the file; if the file seems to be on a disk, its directory, or the
  /// file itself in the root directory.
  ///
  /// The path may lead through a symbolic link to another file system, so a disk is never a place.
  private static func place(of path: String, _ mounts: String) -> String {
    let path = normalized(path)
    let directory = path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    // Source: proc(5), `/proc/pid/mountinfo`.
    let points = mounts.split(separator: "\n").compactMap {
      line -> (point: String, isDisk: Bool)? in
      let fields = line.split(separator: " ")
      guard fields.count > 4 else { return nil }
      return (unescaped(fields[4]), !fields[2].hasPrefix("0:"))
    }
    // Of two mounts at one point, the later one is visible.
    let mount = points.reversed()
      .filter { "\(path)/".hasPrefix($0.point == "/" ? "/" : $0.point + "/") }
      .max { $0.point.utf8.count < $1.point.utf8.count }
    guard let mount, !mount.isDisk, mount.point != "/" else {
      return directory.isEmpty ? path : directory
    }
    return mount.point
  }

  /// Returns a path without empty parts, `.` and `..`.
  private static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Decodes the escapes of the system: `\040` is a space.
  private static func unescaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"),
        let value = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
      {
        rest = rest.dropFirst(3)
        bytes.append(value)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
