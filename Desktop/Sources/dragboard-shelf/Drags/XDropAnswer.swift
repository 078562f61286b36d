import CGtk4
import CShelf

/// The callback for the answer of another application under X11.
final class XDropAnswer {
  private let continuation: CheckedContinuation<[UInt8], any Error>

  private init(_ continuation: CheckedContinuation<[UInt8], any Error>) {
    self.continuation = continuation
  }

  /// Requests the bytes of a type of a GdkDrop.
  ///
  /// - Parameters:
  ///   - type: the type.
  ///   - drop: the drop.
  ///   - time: the time of the drop.
  /// - Returns: the bytes.
  /// - Throws: `ForeignContent.ReadError` if the other application refuses or does not answer.
  static func bytes(of type: String, in drop: Owned, at time: UInt32) async throws -> [UInt8] {
    try await withCheckedThrowingContinuation { continuation in
      shelf_x_drop_read_async(
        drop.pointer, type, time,
        { _, result, data in
          defer { release(data) }
          held(data, as: XDropAnswer.self)?.finish(result)
        }, hold(XDropAnswer(continuation)))
    }
  }

  private func finish(_ result: OpaquePointer?) {
    var error: UnsafeMutablePointer<GError>?
    if let bytes = shelf_x_drop_read_finish(result, &error) {
      return continuation.resume(returning: Array(adopting: bytes))
    }
    let message = error.map { String(cString: $0.pointee.message) } ?? "no data were transferred"
    if let error { g_error_free(error) }
    continuation.resume(throwing: ForeignContent.ReadError(description: message))
  }
}
