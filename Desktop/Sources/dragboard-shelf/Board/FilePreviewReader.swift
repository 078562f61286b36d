import CGtk4
import CShelf
import DragboardClient
import Glibc
import ShelfModel

/// Reads pictures and files for previews, each in a separate process.
///
/// The process has limits of memory and processor time, because a client can make a picture that
/// occupies its decoder. It also has a deadline, because the file may be on a network. After the
/// deadline the shelf no longer waits for the process, even if the system cannot kill it.
enum FilePreviewReader {
  /// The option with which the shelf starts such a process from its own program.
  fileprivate static let option = "--read-preview"
  /// The time after which a process is killed.
  fileprivate static let deadline = Duration.seconds(10)
  /// The time that a killed process has for its exit.
  fileprivate static let grace = Duration.milliseconds(500)
  /// The maximum number of processes that have outlived their deadline.
  ///
  /// If there are more, no files are read.
  private static let maxHanging = 8
  fileprivate static var hanging = 0
  private static var places = HangingPlaces()
  private static var count = 0
  /// The reads that wait for the end of others, oldest first.
  private static var waiting: [CheckedContinuation<Void, Never>] = []
  /// The maximum number of processes, apart from those that have outlived their deadline.
  private static let maxCount = 4

  /// If this process was started to read a preview, reads it and ends the process.
  ///
  /// Must be called before the process does anything else.
  static func runIfRequested() {
    let arguments = CommandLine.unsafeArgv
    guard CommandLine.argc >= 3, let first = arguments[1], strcmp(first, option) == 0,
      let extent = arguments[2]
    else { return }
    exit(shelf_read_preview(atoi(extent), arguments[3]))
  }

  /// Reads a picture that is the content of a row.
  static func read(_ picture: ReceivedFile, extent: Int) async -> PreviewAnswer {
    await begin()
    defer { end() }
    let file = fcntl(picture.descriptor, F_DUPFD_CLOEXEC, 0)
    guard file >= 0, let reading = Reading(extent, input: file) else {
      return PreviewAnswer()
    }
    _ = await reading.run()
    return PreviewAnswer(reading.bytes, extent: extent)
  }

  /// Reads the facts of a file, and its picture if it has one.
  ///
  /// - Parameters:
  ///   - path: the path of the file, which need not be UTF-8.
  ///   - extent: the maximum width and height of the picture; 0 requests none.
  /// - Returns: the answer; nil if the file could not be read in time.
  static func read(_ path: [UInt8], extent: Int = 0) async -> PreviewAnswer? {
    await begin()
    defer { end() }
    let place = String(decoding: path, as: UTF8.self)
    guard !places.contains(place, at: .now), hanging < maxHanging,
      let reading = Reading(extent, path)
    else { return nil }
    let isInTime = await reading.run()
    if !isInTime {
      places.note(place, mounts: mounts, at: .now)
    }
    let answer = PreviewAnswer(reading.bytes, extent: extent)
    return isInTime || answer.fileType != nil ? answer : nil
  }

  /// Waits until fewer than `maxCount` previews are read.
  private static func begin() async {
    if count < maxCount { return count += 1 }
    await withCheckedContinuation { waiting.append($0) }
  }

  private static func end() {
    if waiting.isEmpty { count -= 1 } else { waiting.removeFirst().resume() }
  }

  /// The mounts of this process.
  private static var mounts: String {
    var text: UnsafeMutablePointer<CChar>?
    guard g_file_get_contents("/proc/self/mountinfo", &text, nil, nil) != 0, let text else {
      return ""
    }
    defer { g_free(text) }
    return String(cString: text)
  }

  /// Counts a process that has outlived its deadline until the process exits.
  fileprivate static func countHanging(_ process: OpaquePointer) {
    hanging += 1
    g_subprocess_wait_async(
      process, nil,
      { process, result, _ in
        g_subprocess_wait_finish(process?.opaque, result, nil)
        FilePreviewReader.hanging -= 1
      }, nil)
  }
}

/// A process and its output.
private final class Reading {
  /// The output so far.
  private(set) var bytes: [UInt8] = []
  private let process: Owned
  private let maxByteCount: Int
  private let cancellable = Owned(adopting: made(g_cancellable_new()).opaque)
  private var isInTime = true

  /// The maximum number of bytes of an answer without its picture.
  private static let maxFacts = 64 << 10

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - extent: the maximum width and height of the picture.
  ///   - path: the path of the file; nil to read the standard input.
  ///   - input: the standard input, which is adopted; -1 for none.
  init?(_ extent: Int, _ path: [UInt8]? = nil, input: Int32 = -1) {
    let flags = G_SUBPROCESS_FLAGS_STDOUT_PIPE.rawValue | G_SUBPROCESS_FLAGS_STDERR_SILENCE.rawValue
    let launcher = made(g_subprocess_launcher_new(GSubprocessFlags(rawValue: flags)))
    defer { g_object_unref(launcher.object) }
    if input >= 0 { g_subprocess_launcher_take_stdin_fd(launcher, input) }
    // Other file systems of GIO need the bus. The threads of the decoder for SVG would need memory
    // for each processor.
    for (name, value) in [("GIO_USE_VFS", "local"), ("RAYON_NUM_THREADS", "1")] {
      g_subprocess_launcher_setenv(launcher, name, value, 1)
    }
    // The file of this program may have been replaced since its start.
    let options = ["/proc/self/exe", FilePreviewReader.option, "\(extent)"]
    var words: [UnsafeMutablePointer<CChar>?] = options.map { g_strdup($0) }
    if let path { words.append((path + [0]).withUnsafeBufferPointer { g_strdup($0.chars) }) }
    words.append(nil)
    defer { for word in words { g_free(word) } }
    let pointers = words.map { $0.map { UnsafePointer($0) } }
    guard let process = g_subprocess_launcher_spawnv(launcher, pointers, nil) else { return nil }
    self.process = Owned(adopting: process)
    maxByteCount = extent * extent * 4 + Self.maxFacts
  }

  /// Reads the output until the process closes it, or until the deadline.
  ///
  /// - Returns: whether the deadline has not passed.
  func run() async -> Bool {
    let killing = MainLoop.after(FilePreviewReader.deadline) { [self] in
      isInTime = false
      g_subprocess_force_exit(process.pointer)
      FilePreviewReader.countHanging(process.pointer)
    }
    let leaving = MainLoop.after(FilePreviewReader.deadline + FilePreviewReader.grace) { [self] in
      g_cancellable_cancel(cancellable.pointer.of())
    }
    while let part = await next(), !part.isEmpty, bytes.count + part.count <= maxByteCount {
      bytes += part
    }
    killing.cancel()
    leaving.cancel()
    // The process may still write, or wait.
    g_subprocess_force_exit(process.pointer)
    return isInTime
  }

  /// Returns the next part of the output; empty at the end, nil after the deadline.
  private func next() async -> [UInt8]? {
    await withCheckedContinuation { continuation in
      g_input_stream_read_bytes_async(
        g_subprocess_get_stdout_pipe(process.pointer), 256 << 10, G_PRIORITY_DEFAULT,
        cancellable.pointer.of(),
        { stream, result, data in
          defer { release(data) }
          let part = g_input_stream_read_bytes_finish(stream?.of(), result, nil)
          held(data, as: Part.self)?.continuation.resume(
            returning: part.map { [UInt8](adopting: $0) })
        }, hold(Part(continuation)))
    }
  }

  private final class Part {
    let continuation: CheckedContinuation<[UInt8]?, Never>

    init(_ continuation: CheckedContinuation<[UInt8]?, Never>) { self.continuation = continuation }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The bytes as characters of C.
  fileprivate var chars: UnsafePointer<CChar>? {
    UnsafeRawPointer(baseAddress)?.assumingMemoryBound(to: CChar.self)
  }
}

extension PreviewAnswer {
  /// The dimensions of the original picture as the user sees them: `640 × 480`; nil if it is not a
  /// picture.
  var size: String? { width > 0 ? localized("%1 × %2", "\(width)", "\(height)") : nil }

  /// Returns the scaled picture: a GdkTexture.
  func texture() -> Owned? {
    guard let picture else { return nil }
    let data = picture.bytes.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
    defer { g_bytes_unref(data) }
    return gdk_memory_texture_new(
      Int32(picture.width), Int32(picture.height),
      picture.hasAlpha ? GDK_MEMORY_R8G8B8A8 : GDK_MEMORY_R8G8B8, data, gsize(picture.stride)
    ).map { Owned(adopting: $0) }
  }

  /// Returns the icon of the file: a GIcon.
  func iconOfFile() -> Owned? {
    icon.flatMap { g_icon_new_for_string($0, nil) }.map { Owned(adopting: $0) }
  }
}
