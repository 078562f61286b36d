import DragboardClient
import Glibc
import Synchronization

/// The loads of the promises of a drag.
///
/// They record the reason why the source could not keep a promise, so that the source reports the same
/// reason as the destination.
final class PromisedLoads: Sendable {
  private struct State {
    var reason: String?
    /// The number of promises that are being written.
    var running = 0
  }

  private let state = Mutex(State())
  /// The maximum number of bytes that a board accepts.
  private let limit: SizeLimit

  init(_ limit: SizeLimit) { self.limit = limit }

  /// The reason of the latest failure; nil if there is none.
  ///
  /// If the drop has ended before a promise is written, the destination has not taken the rest.
  var failure: String? {
    state.withLock { $0.reason ?? ($0.running > 0 ? limit.reasonOfEnd : nil) }
  }

  /// Returns the items with promises whose failures are recorded.
  func watched(_ items: [DragItem]) -> [DragItem] {
    items.map { item in
      var item = item
      for index in item.representations.indices {
        guard case .promise(let promise) = item.representations[index].content else { continue }
        item.representations[index].content = .promise(watched(promise))
      }
      return item
    }
  }

  private func watched(_ promise: Promise) -> Promise {
    Promise(expectedByteCount: promise.expectedByteCount) { [self] writer in
      state.withLock { $0.running += 1 }
      defer { state.withLock { $0.running -= 1 } }
      do { try promise.write(writer) } catch {
        // If the destination has closed the pipe, a command can fail because of that.
        let hasReader = (try? writer.withDescriptor({ Self.hasReader($0) })) == true
        state.withLock { $0.reason = hasReader ? "\(error)" : limit.reasonOfEnd }
        throw error
      }
    }
  }

  /// Whether the read end of a pipe is open.
  private static func hasReader(_ descriptor: Int32) -> Bool {
    var pipe = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&pipe, 1, 0) == 0
  }
}
