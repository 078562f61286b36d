internal import Files
internal import Glibc
internal import Synchronization

/// A reporter of missing and altered contents: it reports each once, to the log and to a file.
///
/// The file ``DataFiles/lostContents`` in the data directory lists the losses that this process has
/// found; `dragboard doctor` reads it. The next process removes it when it opens the store. It is
/// used from any thread.
final class LostContents: Sendable {
  /// The maximum number of reports; more would not help the user.
  private static let maxReported = 1_000

  private let path: String
  private let report: @Sendable (StoreEvent) -> Void
  private let reported = Mutex<Set<ContentID>>([])

  init(in directory: String, report: @escaping @Sendable (StoreEvent) -> Void) {
    path = directory + "/" + DataFiles.lostContents
    self.report = report
  }

  /// Removes the file of an earlier process.
  func reset() { unlink(path) }

  /// Reports the loss of a content unless it was reported before.
  func note(_ id: ContentID, _ error: StoreError) {
    let isNew = reported.withLock { $0.count < Self.maxReported && $0.insert(id).inserted }
    guard isNew else { return }
    report(.lostContent("\(error)"))
    // If the disk refuses it, the log still has the report.
    guard
      let file = try? FileDescriptor(
        opening: path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
    else { return }
    let line = Array("\(error)\n".utf8)
    try? line.span.bytes.withUnsafeBytes { bytes throws(FileError) in try file.write(bytes) }
  }
}
