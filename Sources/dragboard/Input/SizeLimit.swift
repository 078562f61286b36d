import DragboardClient

/// The daemon's size limit of a representation.
///
/// The command checks it before it sends the bytes.
struct SizeLimit {
  /// The maximum number of bytes.
  let byteCount: Int
  private let daemon: Int32?

  /// The limit if the daemon does not report one: the daemon's default.
  private static let standard = 256 << 20

  init(_ byteCount: Int, daemon: Int32? = nil) {
    (self.byteCount, self.daemon) = (byteCount, daemon)
  }

  /// Reads the limit from the daemon.
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
      .refused, "\(file): too large: \(amounts.0) (at most \(amounts.1))",
      remedy: "\(advice) Or use --link for a reference to the file.")
  }

  /// Returns the error for input of unknown size that exceeds the limit.
  func exceeded(by input: String) -> CommandError {
    .tooLarge(input, byteCount, remedy: advice)
  }

  /// The reason why the destination of a drag does not take the rest of an item.
  ///
  /// The destination does not report its reason to the source. For a board, it is this limit, unless the
  /// disk is full.
  var reasonOfEnd: String {
    "the destination did not take the whole item (a board takes at most \(Amounts.bytes(byteCount)), "
      + "max-representation-bytes)"
  }

  private var advice: String {
    let file = DaemonSetup(daemon: daemon, data: nil).configurationFile
    return "Raise max-representation-bytes in \(file ?? "~/.config/dragboard/config.toml") and "
      + "restart the daemon."
  }
}
