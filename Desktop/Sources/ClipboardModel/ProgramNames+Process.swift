import Files
import Glibc

extension ProgramNames {
  /// The maximum number of bytes of arguments that are read.
  private static let maxBytes = 16 << 10

  /// Reads the names of a process.
  ///
  /// Source: proc(5), `/proc/pid/comm`, `exe` and `cmdline`.
  public init(ofProcess process: UInt32) {
    let folder = "/proc/\(process)"
    self.init(
      process: Self.text(Self.bytes(of: folder + "/comm") ?? []),
      file: Self.target(of: folder + "/exe"),
      arguments: (Self.bytes(of: folder + "/cmdline") ?? [])
        .split(separator: 0, omittingEmptySubsequences: false).map(Self.text))
  }

  /// Returns whether a process has opened a terminal device of its own, as every terminal does.
  ///
  /// Source: pts(4).
  public static func holdsTerminal(_ process: UInt32) -> Bool {
    let folder = "/proc/\(process)/fd"
    guard let directory = opendir(folder) else { return false }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if ["/dev/ptmx", "/dev/pts/ptmx"].contains(target(of: "\(folder)/\(name)")) { return true }
    }
    return false
  }

  private static func bytes(of path: String) -> [UInt8]? {
    try? FileDescriptor(opening: path, O_RDONLY).read(maxBytes, at: 0)
  }

  /// Returns the target of a link; "" if the process hides it, as a process does that forbids core
  /// dumps.
  private static func target(of link: String) -> String {
    let bytes = [CChar](unsafeUninitializedCapacity: Int(PATH_MAX)) { memory, count in
      count = memory.baseAddress.map { max(0, readlink(link, $0, memory.count)) } ?? 0
    }
    return text(bytes.map(UInt8.init(bitPattern:)))
  }

  /// Returns a text without control characters.
  ///
  /// A process can set any name, but an attribute of a row must not contain them.
  private static func text(_ bytes: some Collection<UInt8>) -> String {
    let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.filter {
      $0.properties.generalCategory != .control && !$0.properties.isNoncharacterCodePoint
    }
    return String(String.UnicodeScalarView(scalars))
  }
}
