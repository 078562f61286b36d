import DragboardClient

/// The daemon's limit of a representation, which is checked before anything is sent.
struct SizeLimit {
  /// The maximum number of bytes.
  let byteCount: Int
  private let daemon: Int32?

  /// The limit of a daemon that does not report it: the default.
  private static let standard = 256 << 20

  init(_ byteCount: Int, daemon: Int32? = nil) {
    (self.byteCount, self.daemon) = (byteCount, daemon)
  }

  /// Reads the limit.
  init(of daemon: DragboardDaemon) async throws(DragboardError) {
    self.init(
      try await daemon.limits().maxRepresentationBytes ?? Self.standard,
      daemon: try await daemon.processID())
  }

  /// Checks the size of a file.
  ///
  /// - Throws: `CommandError` with the size, the limit and the remedy.
  func check(_ size: Int, of file: String) throws(CommandError) {
    guard size > byteCount else { return }
    let (shown, limit) = (Amounts.bytes(size), Amounts.bytes(byteCount))
    let amounts = shown == limit ? ("\(size) B", "\(byteCount) B") : (shown, limit)
    throw CommandError(
      .refused, "\(file) is \(amounts.0); the limit is \(amounts.1)",
      remedy: "\(advice) Or take a reference to the file: --link.")
  }

  /// The error for input of unknown size that goes beyond the limit.
  func exceeded(by input: String) -> CommandError {
    .tooLarge(input, byteCount, remedy: advice)
  }

  private var advice: String {
    let file = DaemonSetup(daemon: daemon, data: nil).configurationFile
    return "Raise max-representation-bytes in \(file ?? "~/.config/dragboard/config.toml") and "
      + "restart the daemon."
  }
}
