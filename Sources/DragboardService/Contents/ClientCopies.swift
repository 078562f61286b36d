import DBus
import DragModel
import DragboardStore
import Files

/// The copies of large contents that clients have open as files.
///
/// The copies are limited for each client and in total.
///
/// A copy counts until its last descriptor is closed, in any process. The limits do not include
/// bytes that a client adds: it can make its copy writable and extend it, as it can any file of the
/// user.
final class ClientCopies {
  /// The time for which a copy counts if the system has no watch left that would report its
  /// closing.
  private static let unwatchedTime = Duration.seconds(60)

  private let scheduler: Scheduler
  private let contents: ContentDirectory
  private let watch: any FileEndWatch
  private let copy: Copy
  private let copies = Quota(
    "fd: copies of large contents", perConnection: Quota.Limit(bytes: 1 << 30, descriptors: 64),
    total: Quota.Limit(bytes: 4 << 30, descriptors: 256), advice: "close some of them")

  /// Copies bytes to a file, on another thread.
  typealias Copy = @Sendable (Payload, ContentDirectory) throws(StoreError) -> FileDescriptor

  init(
    _ scheduler: Scheduler, watch: any FileEndWatch, contents: ContentDirectory,
    copy: @escaping Copy = { (bytes, contents) throws(StoreError) in try bytes.copied(in: contents)
    }
  ) {
    (self.scheduler, self.watch, self.contents, self.copy) = (scheduler, watch, contents, copy)
  }

  /// Opens bytes as a file for a client, and calls `then` in a separate step.
  ///
  /// If the bytes are in a file, they are copied on another thread.
  ///
  /// - Parameters:
  ///   - bytes: the content of the file.
  ///   - client: the caller that the copy is charged to.
  ///   - then: receives the descriptor, positioned at the first byte, or an error: LimitsExceeded
  ///     if there are too many copies, or IOError.
  func open(
    _ bytes: Payload, for client: BoardAccess,
    then: @escaping (Step, Result<FileDescriptor, DBusError>) -> Void
  ) {
    do throws(StoreError) {
      if let file = try bytes.descriptorWithoutCopy() {
        return scheduler.step { then($0, .success(file)) }
      }
    } catch { return scheduler.step { then($0, .failure(error.answer)) } }
    let (cost, holder) = (Cost(bytes: bytes.byteCount, descriptors: 1), client.holder)
    watch.update()
    do throws(DBusError) { try copies.charge(cost, to: holder) } catch {
      return scheduler.step { then($0, .failure(error)) }
    }
    scheduler.work(inLane: "copies for \(holder.sandbox ?? holder.connection)") {
      [copy, contents] in
      Result { () throws(StoreError) in try copy(bytes, contents) }
    } then: { [self] step, copy in
      let release = { [copies] in copies.release(cost, from: holder) }
      switch copy {
      case .success(let file):
        if !watch.onEnd(of: file, release) {
          scheduler.after(Self.unwatchedTime) { _ in release() }
        }
        then(step, .success(file))
      case .failure(let error):
        release()
        then(step, .failure(error.answer))
      }
    }
  }
}
