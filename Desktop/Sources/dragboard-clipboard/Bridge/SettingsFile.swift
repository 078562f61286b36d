import ClipboardModel
import Files
import Glibc
import Logging

/// The file that stores the settings: `clipboard` in the directory of the configuration.
struct SettingsFile {
  /// The error of a file that cannot be read or written.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private static let maxByteCount = 1 << 20

  /// The user's configuration directory, which all programs share.
  private let parent: String
  private var directory: String { parent + "/dragboard" }
  private var path: String { directory + "/clipboard" }

  /// Computes the path of the file from the environment.
  init() {
    // Without a home directory, the file cannot be created, and the error names it.
    parent = Environment.directory(.configuration) ?? ""
  }

  /// Reads the settings, and reports invalid lines.
  ///
  /// If the file does not exist, returns the default settings. Any other error is thrown, because
  /// with the default settings, copies of excluded programs would be stored.
  func read() throws(Failure) -> ClipboardSettings {
    guard let file = fopen(path, "re") else {
      guard errno == ENOENT else { throw failure() }
      return ClipboardSettings()
    }
    defer { fclose(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: Self.maxByteCount + 1) { memory, count in
      count = fread(memory.baseAddress, 1, memory.count, file)
    }
    guard ferror(file) == 0 else { throw failure() }
    guard bytes.count <= Self.maxByteCount else {
      throw Failure(description: "\(path): too large (at most \(Self.maxByteCount) bytes)")
    }
    let (settings, invalidLines) = ClipboardSettings.read(String(decoding: bytes, as: UTF8.self))
    for line in invalidLines {
      log.warning(
        """
        \(path), line \(line): not a setting (expected "application PATTERN", "window PATTERN", \
        "type PATTERN", "pause-while-locked", "store-selections" or "defaults VERSION")
        """)
    }
    return settings
  }

  /// Replaces the file.
  ///
  /// The new file is durable when this function returns. Otherwise a crash could bring back an
  /// empty file, and copies of excluded programs would be stored.
  func write(_ settings: ClipboardSettings) throws(Failure) {
    mkdir(parent, 0o700)
    let isNew = mkdir(directory, 0o700) == 0
    do throws(FileError) {
      if isNew { try FileDescriptor(opening: parent, O_RDONLY | O_DIRECTORY).syncNames() }
      try AtomicFile.write(Array(settings.lines.map { $0 + "\n" }.joined().utf8), to: path)
    } catch { throw Failure(description: "\(error)") }
  }

  private func failure() -> Failure {
    Failure(description: "\(path): \(String(cString: strerror(errno)))")
  }
}
