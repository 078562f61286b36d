import ClipboardModel
import Glibc

/// The file that stores the exclusions: `clipboard` in the directory of the configuration.
struct ExclusionsFile {
  /// The error of a file that cannot be written.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private static let maxByteCount = 1 << 20

  /// The directory of all programs' configurations.
  private let parent: String
  private var directory: String { parent + "/dragboard" }
  private var path: String { directory + "/clipboard" }

  /// Finds the file by the environment.
  init() {
    let home = getenv("HOME").map { String(cString: $0) } ?? ""
    let configuration = getenv("XDG_CONFIG_HOME").map { String(cString: $0) } ?? ""
    // The specification of base directories ignores a relative path.
    parent = configuration.hasPrefix("/") ? configuration : home + "/.config"
  }

  /// Reads the exclusions, and reports invalid lines; a missing file has none.
  func read() -> Exclusions {
    guard let file = fopen(path, "re") else { return Exclusions() }
    defer { fclose(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.maxByteCount) { memory, count in
      count = fread(memory.baseAddress, 1, memory.count, file)
    }
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let (exclusions, invalidLines) = Exclusions.read(lines)
    for line in invalidLines {
      StandardError.writeLine(
        "\(path), line \(line): no exclusion (\"application PATTERN\" or \"type PATTERN\")")
    }
    return exclusions
  }

  /// Replaces the file.
  func write(_ exclusions: Exclusions) throws(Failure) {
    mkdir(parent, 0o700)
    mkdir(directory, 0o700)
    let temporary = path + ".new"
    guard let file = fopen(temporary, "we") else { throw failure() }
    let text = exclusions.lines.map { $0 + "\n" }.joined()
    let isWritten = fputs(text, file) >= 0
    guard fclose(file) == 0, isWritten, rename(temporary, path) == 0 else { throw failure() }
  }

  private func failure() -> Failure {
    Failure(description: "\(path): \(String(cString: strerror(errno)))")
  }
}
