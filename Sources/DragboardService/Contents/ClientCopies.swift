import DBus
import DragModel
import DragboardStore
import Files

/// The copies of large contents that clients have as files, bounded for each client and in all.
///
/// A copy counts from the call that asks for it until its last descriptor is closed, whichever process
/// has that by then. What its client does to it is not bounded: the client can make it writable and
/// let it grow, as any file of the user's.
final class ClientCopies {
  private struct Use {
    var files = 0
    var bytes = 0

    mutating func add(files: Int, bytes: Int) {
      self.files += files
      self.bytes += bytes
    }

    /// Refuses one file more past a limit; a file alone is never refused.
    func checkRoom(for byteCount: Int, within limit: Use, of holder: String) throws(DBusError) {
      guard files > 0, files >= limit.files || bytes + byteCount > limit.bytes else { return }
      throw DBusError(
        .limitsExceeded,
        "fd: \(holder) \(files) open files of \(bytes) bytes that were copied from large contents (at most \(limit.files) files of \(limit.bytes) bytes; close some)"
      )
    }
  }

  /// The most that one client has: a connection, or all connections of a sandbox.
  ///
  /// A copy may be larger if it is the only one.
  private static let maxOfOne = Use(files: 64, bytes: 1 << 30)
  /// The most that all clients have together.
  private static let maxInAll = Use(files: 256, bytes: 4 << 30)
  /// How long a copy counts if the system has no watch left to tell when it is closed.
  private static let unwatchedTime = Duration.seconds(60)

  private unowned let service: Service
  private let watch: any FileEndWatch
  private let copy: Copy
  private var clients: [String: Use] = [:]
  private var total = Use()

  /// Copies bytes off the loop.
  typealias Copy = @Sendable (Payload, ContentFolder) throws(StoreError) -> FileDescriptor

  /// The copies of a service, none so far.
  ///
  /// - Parameters:
  ///   - service: does the work.
  ///   - watch: reports the end of a copy.
  ///   - copy: makes a copy.
  init(
    _ service: Service, watch: any FileEndWatch,
    copy: @escaping Copy = { (bytes, files) throws(StoreError) in try bytes.copied(in: files) }
  ) {
    self.service = service
    self.watch = watch
    self.copy = copy
  }

  /// Calls `then` with a descriptor of the bytes, for reading, at the first byte: at once if no copy is
  /// needed, else when the bytes have been copied off the loop.
  ///
  /// - Parameters:
  ///   - bytes: what the file holds.
  ///   - client: the caller, for whom a copy counts.
  ///   - then: gets the descriptor; LimitsExceeded if the client, or all, have too many copies; IOError.
  func open(
    _ bytes: Payload, for client: BoardAccess,
    then: @escaping (Result<FileDescriptor, DBusError>) -> Void
  ) {
    do throws(StoreError) {
      if let file = try bytes.descriptorWithoutCopy() { return then(.success(file)) }
    } catch { return then(.failure(error.answer)) }
    let (name, byteCount) = (Self.name(of: client), bytes.byteCount)
    do throws(DBusError) { try checkRoom(for: name, byteCount) } catch {
      return then(.failure(error))
    }
    count(name, files: 1, bytes: byteCount)
    let files = service.repository.contents
    service.work(inLane: "copies for \(name)") { [copy] in
      Result { () throws(StoreError) in try copy(bytes, files) }
    } then: { [self] copy in
      let release = { [weak self] in self?.count(name, files: -1, bytes: -byteCount) ?? () }
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

  /// The name by which a client's copies count: a sandbox cannot have more by connecting again.
  private static func name(of client: BoardAccess) -> String {
    client.source.isEmpty ? client.caller.uniqueName : client.source
  }

  private func checkRoom(for name: String, _ byteCount: Int) throws(DBusError) {
    watch.update()
    let own = clients[name] ?? Use()
    try own.checkRoom(for: byteCount, within: Self.maxOfOne, of: "the caller has")
    try total.checkRoom(for: byteCount, within: Self.maxInAll, of: "all clients have")
  }

  private func count(_ name: String, files: Int, bytes: Int) {
    var own = clients[name] ?? Use()
    own.add(files: files, bytes: bytes)
    clients[name] = own.files > 0 ? own : nil
    total.add(files: files, bytes: bytes)
  }
}
