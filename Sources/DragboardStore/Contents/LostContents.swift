internal import Files
internal import Glibc
internal import Synchronization

/// Reports contents that are missing or altered: each once, to the log and to a file that
/// `dragboard doctor` reads.
///
/// The file ``DataFiles/lostContents`` in the data directory lists what this process has found; it is
/// removed when the next one opens the store. Used from any thread.
final class LostContents: Sendable {
  /// More are not reported: whoever has lost so many knows.
  private static let maxReported = 1_000

  private let path: String
  private let report: @Sendable (StoreEvent) -> Void
  private let reported = Mutex<Set<ContentID>>([])

  init(in directory: String, report: @escaping @Sendable (StoreEvent) -> Void) {
    path = directory + "/" + DataFiles.lostContents
    self.report = report
  }

  /// Removes the file of the process that opened the store before.
  func reset() { unlink(path) }

  /// Reports what is wrong with a content, unless that was reported.
  func note(_ id: ContentID, _ error: StoreError) {
    let isNew = reported.withLock { $0.count < Self.maxReported && $0.insert(id).inserted }
    guard isNew else { return }
    report(.lostContent("\(error)"))
    // If the disk does not take it, the log has it.
    guard
      let file = try? FileDescriptor(
        opening: path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
    else { return }
    let line = Array("\(error)\n".utf8)
    try? line.span.bytes.withUnsafeBytes { bytes throws(FileError) in try file.write(bytes) }
  }
}
