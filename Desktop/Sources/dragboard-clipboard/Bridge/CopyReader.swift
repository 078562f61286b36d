import ClipboardModel
import DBus
import Glibc
import struct DragModel.MIMEType
import struct DragModel.UTF8Check

/// A copy that was read completely.
@ClipboardActor struct Copy {
  /// The types and their bytes, in the owner's order.
  let representations: [(type: String, buffer: CopyBuffer)]
  /// The name of the program; "" if it is unknown.
  let application: String

  /// The total number of bytes of all types.
  var byteCount: Int { representations.reduce(0) { $0 + $1.buffer.count } }

  /// The copy with the types that have bytes.
  var withoutEmptyTypes: Copy {
    Copy(representations: representations.filter { $0.buffer.count > 0 }, application: application)
  }

  /// Whether the copy is a plain text without characters.
  var isEmptyText: Bool {
    representations.allSatisfy { $0.type == MIMEType.plainText.mime && $0.buffer.count == 0 }
  }

  /// The types and the hashes of their bytes, which identify the content.
  var fingerprint: Fingerprint {
    Fingerprint(Dictionary(representations.map { ($0.type, $0.buffer.hash) }) { first, _ in first })
  }
}

/// Reads all types of a copy, one after another.
///
/// Mutter allows only one read at a time. On X11, a type that the owner itself refuses is omitted.
/// After any other error or a missed deadline, the whole copy is discarded, so that no type is
/// missing.
@ClipboardActor final class CopyReader {
  /// The time in which the next `minProgress` bytes of a type must arrive.
  ///
  /// The time is not for a whole type, because a busy machine needs longer for many bytes.
  private static let typeTimeout = Duration.seconds(10)
  private static let minProgress = 1 << 20
  /// The deadline for all types.
  private static let timeout = Duration.seconds(30)
  /// The number of bytes from which a type may be cut off.
  ///
  /// A program may write a type in pieces, and exit in between. A type with fewer bytes is assumed
  /// to be one piece, because the usual buffers of programs are larger, and a pipe takes it as a
  /// whole.
  private static let minPiece = Int(PIPE_BUF)

  private let backend: any ClipboardBackend
  private let loop: EventLoop
  private let application: String
  private let isExcluded: ([FocusedWindow]) -> Bool
  private var requests: ArraySlice<ClipboardCopyPlan.Request>
  private var representations: [(type: String, buffer: CopyBuffer)] = []
  private var byteCount = 0
  /// The copy that waits for the confirmation of its owner.
  private var unconfirmed: Copy?
  private var timer: Timer?
  private var typeTimer: Timer?
  private var completion: ((Result<Copy, ReadError>) -> Void)?

  /// Starts to read.
  ///
  /// `isExcluded` gets the windows that can have made the copy; nothing is read if it returns true.
  /// `completion` is called once, unless the reader is cancelled.
  init(
    _ plan: ClipboardCopyPlan, of application: String, from backend: any ClipboardBackend,
    unless isExcluded: @escaping ([FocusedWindow]) -> Bool, on loop: EventLoop,
    whenDone completion: @escaping (Result<Copy, ReadError>) -> Void
  ) {
    (self.backend, self.loop, self.application) = (backend, loop, application)
    (self.isExcluded, requests, self.completion) = (isExcluded, plan.requests[...], completion)
  }

  /// Reads the first type, then the others, unless the copy is excluded.
  func start() {
    timer = loop.schedule(after: Self.timeout) { [weak self] in self?.finish(.failure(.timedOut)) }
    guard let focus = backend.focus else { return readNext() }
    focus.windowsOfCopy { [weak self] windows in
      guard let self, completion != nil else { return }
      switch windows {
      case .success(let windows) where isExcluded(windows): finish(.failure(.excluded))
      case .success: readNext()
      case .failure(let error): finish(.failure(error))
      }
    }
  }

  /// Stops reading.
  func cancel() {
    guard completion != nil else { return }
    completion = nil
    backend.stopReading()
    for timer in [timer, typeTimer].compactMap({ $0 }) { loop.cancel(timer) }
  }

  private func startDeadline(of buffer: CopyBuffer) {
    let count = buffer.count
    typeTimer = loop.schedule(after: Self.typeTimeout) { [weak self] in
      guard let self else { return }
      guard buffer.count - count >= Self.minProgress else { return finish(.failure(.timedOut)) }
      startDeadline(of: buffer)
    }
  }

  private func readNext() {
    guard let request = requests.popFirst() else { return finishReading() }
    do throws(ReadError) {
      let buffer = try CopyBuffer(limit: ClipboardCopyPlan.maxByteCount - byteCount)
      startDeadline(of: buffer)
      backend.read(request.name, into: buffer) { [weak self] result in
        guard let self else { return }
        if let typeTimer { loop.cancel(typeTimer) }
        take(result, of: request, in: buffer)
      }
    } catch { finish(.failure(error)) }
  }

  /// Ends the read.
  ///
  /// If the copy may be incomplete, first checks that its owner and the display still exist.
  private func finishReading() {
    let copy = Copy(representations: representations, application: application)
    guard !representations.isEmpty else { return finish(.failure(.refused)) }
    guard
      representations.contains(where: {
        $0.buffer.count == 0 || $0.buffer.count >= Self.minPiece
      })
    else { return finish(.success(copy)) }
    unconfirmed = copy
    backend.confirm { [weak self] result in self?.finish(result.map { copy }) }
  }

  /// Finishes a read whose bytes have all arrived, when another program replaces the owner.
  ///
  /// The replaced owner may have exited: the display reports its exit only if no other program has
  /// claimed the clipboard yet. The exit also ends the pipe of a type that the owner has not
  /// written. So a type without bytes is omitted.
  func confirmReplacedOwner() {
    guard let copy = unconfirmed?.withoutEmptyTypes else { return }
    finish(copy.representations.isEmpty ? .failure(.refused) : .success(copy))
  }

  private func take(
    _ result: Result<Void, ReadError>, of request: ClipboardCopyPlan.Request, in buffer: CopyBuffer
  ) {
    do throws(ReadError) {
      switch result {
      case .success:
        let limit = ClipboardCopyPlan.maxByteCount - byteCount
        let buffer = request.isText ? try buffer.inUTF8(limit: limit) : buffer
        representations.append((request.type, buffer))
        byteCount += buffer.count
      case .failure(.refused): break
      case .failure(let error): throw error
      }
    } catch { return finish(.failure(error)) }
    readNext()
  }

  private func finish(_ result: Result<Copy, ReadError>) {
    let completion = completion
    cancel()
    completion?(result)
  }
}

extension CopyBuffer {
  /// Returns the text in UTF-8; the same buffer if the text already is valid UTF-8.
  ///
  /// Other bytes are read as Latin-1.
  fileprivate func inUTF8(limit: Int) throws(ReadError) -> CopyBuffer {
    var check = UTF8Check()
    try forEachPiece { piece throws(ReadError) in check.take(piece.span) }
    check.finish()
    guard check.firstInvalidByte != nil else { return self }
    let buffer = try CopyBuffer(limit: limit)
    try forEachPiece { piece throws(ReadError) in
      let text = TextTarget.utf8(fromLatin1: piece.span)
      try text.span.bytes.withUnsafeBytes { bytes throws(ReadError) in try buffer.append(bytes) }
    }
    return buffer
  }
}
