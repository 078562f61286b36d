import CGtk4
import DragboardClient

/// A transfer of content, which the window shows if it takes long, and which the user can cancel.
final class Transfer {
  /// The description for the user.
  let title: String
  /// The transferred fraction, from 0 to 1; nil if it is unknown.
  fileprivate(set) var fraction: Double?
  /// Whether it has lasted long enough to be shown.
  fileprivate(set) var isShown = false
  fileprivate var timer: Timer?
  /// Whether it was cancelled.
  fileprivate(set) var isCancelled = false
  private let didCancel: () -> Void

  fileprivate init(_ title: String, _ didCancel: @escaping () -> Void) {
    self.title = title
    self.didCancel = didCancel
  }

  fileprivate func cancel() {
    isCancelled = true
    didCancel()
  }
}

/// The transfers of a window.
final class Transfers {
  /// The shown transfers, oldest first.
  var shown: [Transfer] { all.filter(\.isShown) }
  /// Called when the shown transfers or their progress have changed.
  var onChange: () -> Void = {}
  private var all: [Transfer] = []

  /// The time after which a transfer is shown.
  private static let delay = Duration.milliseconds(500)

  /// Begins a transfer.
  ///
  /// - Parameters:
  ///   - title: the readable description.
  ///   - didCancel: called when the user cancels it.
  /// - Returns: the transfer, which must be ended.
  func begin(_ title: String, didCancel: @escaping () -> Void = {}) -> Transfer {
    let transfer = Transfer(title, didCancel)
    all.append(transfer)
    transfer.timer = MainLoop.after(Self.delay) { [weak self, weak transfer] in
      transfer?.isShown = true
      self?.onChange()
    }
    return transfer
  }

  /// Records the progress of a transfer.
  ///
  /// 0 means that the progress is unknown, because the source may not report any.
  func report(_ transfer: Transfer, _ fraction: Double) {
    transfer.fraction = fraction > 0 ? min(fraction, 1) : nil
    if transfer.isShown { onChange() }
  }

  /// Cancels a transfer.
  ///
  /// The transfer is no longer shown, because the other side may be slow to notice the end.
  func cancel(_ transfer: Transfer) {
    transfer.cancel()
    end(transfer)
  }

  /// Ends a transfer.
  func end(_ transfer: Transfer) {
    transfer.timer?.cancel()
    all.removeAll { $0 === transfer }
    if transfer.isShown { onChange() }
  }

  /// Begins a transfer, runs `body`, and ends the transfer.
  func perform<Result>(
    _ title: String, didCancel: @escaping () -> Void = {},
    _ body: (Transfer) async throws -> Result
  ) async throws -> Result {
    let transfer = begin(title, didCancel: didCancel)
    defer { end(transfer) }
    do { return try await body(transfer) } catch {
      if transfer.isCancelled { throw CancellationError() }
      throw error
    }
  }

  /// Copies a file to a stream of the toolkit, in chunks.
  ///
  /// - Throws: the error of the file or the stream.
  func copy(
    _ file: ReceivedFile, to stream: UnsafeMutablePointer<GOutputStream>, for transfer: Transfer
  ) async throws {
    let count = try file.byteCount
    var chunk = [UInt8](repeating: 0, count: min(count, Self.chunkSize))
    var offset = 0
    while offset < count {
      // Cancel only between chunks, because GTK's X11 streams do not end if a write is cancelled.
      guard !transfer.isCancelled else { throw CancellationError() }
      let length = try chunk.withUnsafeMutableBytes { bytes in
        try file.read(from: offset, into: bytes)
      }
      guard length > 0 else { return }
      try await Writing.write(chunk.prefix(length), to: stream)
      offset += length
      report(transfer, Double(offset) / Double(count))
    }
  }

  private static let chunkSize = 256 << 10
}

/// A write of bytes to a stream of the toolkit.
final class Writing {
  private let continuation: CheckedContinuation<Void, any Error>

  private init(_ continuation: CheckedContinuation<Void, any Error>) {
    self.continuation = continuation
  }

  /// Writes all bytes without blocking the window.
  static func write(
    _ bytes: ArraySlice<UInt8>, to stream: UnsafeMutablePointer<GOutputStream>
  ) async throws {
    let data = bytes.withUnsafeBytes { g_bytes_new($0.baseAddress, gsize($0.count)) }
    defer { g_bytes_unref(data) }
    var count: gsize = 0
    let start = g_bytes_get_data(data, &count)
    guard count > 0 else { return }
    try await withCheckedThrowingContinuation { continuation in
      g_output_stream_write_all_async(
        stream, start, count, G_PRIORITY_DEFAULT, nil,
        { source, result, data in
          defer { release(data) }
          held(data, as: Writing.self)?.finish(source, result)
        }, hold(Writing(continuation)))
    }
  }

  /// Waits until the other application has the bytes that were written.
  static func flush(_ stream: UnsafeMutablePointer<GOutputStream>) async throws {
    try await withCheckedThrowingContinuation { continuation in
      g_output_stream_flush_async(
        stream, G_PRIORITY_DEFAULT, nil,
        { source, result, data in
          defer { release(data) }
          var error: UnsafeMutablePointer<GError>?
          let isDone = g_output_stream_flush_finish(source?.of(), result, &error) != 0
          held(data, as: Writing.self)?.conclude(isDone, error)
        }, hold(Writing(continuation)))
    }
  }

  private func finish(_ source: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?) {
    var error: UnsafeMutablePointer<GError>?
    let isDone = g_output_stream_write_all_finish(source?.of(), result, nil, &error) != 0
    conclude(isDone, error)
  }

  private func conclude(_ isDone: Bool, _ error: UnsafeMutablePointer<GError>?) {
    let words = error.map { String(cString: $0.pointee.message) }
    if let error { g_error_free(error) }
    if isDone { return continuation.resume() }
    continuation.resume(
      throwing: ForeignContent.ReadError(description: words ?? "the data was not written"))
  }
}
