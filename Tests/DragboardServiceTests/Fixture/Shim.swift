import Foundation
import TestSupport

/// A compiled library of `Shims/` that can be preloaded into a daemon.
final class Shim {
  /// The directory of the library; it is removed with this object.
  let folder: URL
  /// The path of the library.
  let library: String

  /// Compiles `Shims/NAME.c` with the compiler of the toolchain or of the system.
  init(_ name: String) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    library = folder.path + "/\(name).so"
    let source = Self.source("\(name).c")
    let arguments = ["-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"]
    for compiler in ["clang", "cc"] {
      if let result = try? run(compiler, arguments), result.status.isSuccess { return }
    }
    throw POSIXError(.ENOEXEC)
  }

  /// Returns the path of a file in `Shims/`.
  static func source(_ name: String) -> String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Shims/\(name)").path
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}

/// Numbers in a file that both the test and a shim map.
///
/// `@unchecked` is safe, because the test writes them only while the daemon waits for calls.
final class SharedNumbers: @unchecked Sendable {
  private let memory: UnsafeMutablePointer<Int64>
  private let size: Int

  /// Maps a new file with `count` zeros.
  init(_ path: String, count: Int) throws {
    size = count * MemoryLayout<Int64>.size
    guard FileManager.default.createFile(atPath: path, contents: Data(count: size)) else {
      throw POSIXError(.EIO)
    }
    let file = open(path, O_RDWR | O_CLOEXEC)
    defer { close(file) }
    guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
      memory != MAP_FAILED
    else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    self.memory = memory.assumingMemoryBound(to: Int64.self)
  }

  deinit { munmap(memory, size) }

  subscript(index: Int) -> Int64 {
    get { memory[index] }
    set { memory[index] = newValue }
  }
}
