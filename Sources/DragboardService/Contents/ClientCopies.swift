import DBus
import DragModel

/// The copies of large contents that clients have as files, bounded for each client and in all.
///
/// A copy counts from the call that asks for it until its last descriptor is closed, whichever process
/// has that by then. What its client does to it is not bounded: the client can make it writable and
/// let it grow, as any file of the user's.
final class ClientCopies {
  /// How long a copy counts if the system has no watch left to tell when it is closed.
  private static let unwatchedTime = Duration.seconds(60)

  private unowned let service: Service
  private let watch: any FileEndWatch
  private let copies = Quota(
    "fd: copies of large contents", perConnection: Quota.Limit(bytes: 1 << 30, descriptors: 64),
    total: Quota.Limit(bytes: 4 << 30, descriptors: 256), advice: "close some")

  init(_ service: Service, watch: any FileEndWatch) {
    self.service = service
    self.watch = watch
  }

  /// Calls `then` with a descriptor of the bytes, for reading, at the first byte: at once if no copy is
  /// needed, else when the bytes have been copied off the loop.
  ///
  /// - Parameters:
  ///   - bytes: what the file holds.
  ///   - client: the caller, for whom a copy counts.
  ///   - then: gets the descriptor; LimitsExceeded if the client, or all, have too many copies; IOError.
  func open(
    _ bytes: Bytes, for client: BoardAccess,
    then: @escaping (Result<FileDescriptor, DBusError>) -> Void
  ) {
    do throws(RepositoryError) {
      if let file = try bytes.descriptorWithoutCopy() { return then(.success(file)) }
    } catch { return then(.failure(error.answer)) }
    let (cost, holder) = (Cost(bytes: bytes.byteCount, descriptors: 1), client.holder)
    watch.update()
    do throws(DBusError) { try copies.charge(cost, to: holder) } catch {
      return then(.failure(error))
    }
    let makeFile = service.repository.makeSpool
    service.work(inLane: "copies for \(holder.sandbox ?? holder.connection)") {
      Result { () throws(RepositoryError) in try bytes.copied(makeFile: makeFile) }
    } then: { [self] copy in
      let release = { [copies] in copies.release(cost, from: holder) }
      switch copy {
      case .success(let file):
        if !watch.onEnd(of: file, release) {
          service.schedule(after: Self.unwatchedTime, release)
        }
        then(.success(file))
      case .failure(let error):
        release()
        then(.failure(error.answer))
      }
    }
  }
}
