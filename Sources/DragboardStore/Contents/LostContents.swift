internal import Files
internal import Glibc
internal import Synchronization

/// A reporter of missing and altered contents.
///
/// It reports each content once, to the log and to a file.
///
/// The file ``DataFiles/lostContents`` in the data directory lists the losses that this process has
/// found. `dragboard doctor` reads the file. The next daemon process removes the file when it opens
/// the store. This class is thread-safe.
final class LostContents: Sendable {
  /// The maximum number of reports.
  ///
  /// More reports would not help the user.
  private static let maxReported = 1_000

  private let path: String
  private let report: @Sendable (StoreEvent) -> Void
  private let reported = Mutex<Set<ContentID>>([])

  init(in directory: String, report: @escaping @Sendable (StoreEvent) -> Void) {
    path = directory + "/" + DataFiles.lostContents
    self.report = report
  }

  /// Removes the file that an earlier process has left.
  func reset() { unlink(path) }

  /// Reports the loss of a content unless it was reported before.
  func note(_ id: ContentID, _ error: StoreError) {
    let isNew = reported.withLock { $0.count < Self.maxReported && $0.insert(id).inserted }
    guard isNew else { return }
    report(.lostContent("\(error)"))
    // If the file cannot be written, the log still has the report.
    guard
      let file = try? FileDescriptor(
        opening: path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
    else { return }
    let line = Array("\(error)\n".utf8)
    try? line.span.bytes.withUnsafeBytes { bytes throws(FileError) in try file.write(bytes) }
  }
}
