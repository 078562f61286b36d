internal import Glibc
internal import Synchronization

/// A thread that makes a digest of bytes while whoever owns them writes them.
///
/// There is one at a time, so that many contents do not take all processors: whoever gets none hashes by itself.
///
/// Unchecked: its owner hands pieces over one after the other, and waits for each.
final class HashingThread: @unchecked Sendable {
  private static let isTaken = Atomic(false)

  private var hash: ContentHash
  private var piece: UnsafeRawBufferPointer?
  private var thread = pthread_t()
  /// Posted when there is a piece, or no more; and when it has been hashed.
  private let given = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private let done = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  /// Goes on with a digest; nil where another one is at work, or the system gives no thread.
  init?(continuing hash: ContentHash) {
    self.hash = hash
    guard !Self.isTaken.exchange(true, ordering: .acquiring) else { return nil }
    sem_init(given, 0, 0)
    sem_init(done, 0, 0)
    let context = Unmanaged.passUnretained(self).toOpaque()
    guard pthread_create(&thread, nil, { hashOnThread($0) }, context) == 0 else {
      Self.isTaken.store(false, ordering: .releasing)
      return nil
    }
  }

  /// Ends the thread.
  deinit {
    if thread != pthread_t() {
      sem_post(given)
      pthread_join(thread, nil)
      Self.isTaken.store(false, ordering: .releasing)
    }
    sem_destroy(given)
    sem_destroy(done)
    given.deallocate()
    done.deallocate()
  }

  /// Feeds the digest with bytes while `body` is at work, and waits for both.
  func update<Failure: Error>(
    _ bytes: UnsafeRawBufferPointer, during body: () throws(Failure) -> Void
  ) throws(Failure) {
    piece = bytes
    sem_post(given)
    defer { Self.wait(done) }
    try body()
  }

  /// The digest so far.
  func conclude() -> ContentDigest { hash.conclude() }

  fileprivate func serve() {
    while true {
      Self.wait(given)
      guard let piece else { return }
      hash.update(piece)
      self.piece = nil
      sem_post(done)
    }
  }

  private static func wait(_ semaphore: UnsafeMutablePointer<sem_t>) {
    while sem_wait(semaphore) != 0 {}
  }
}

private func hashOnThread(_ thread: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  thread.map { Unmanaged<HashingThread>.fromOpaque($0).takeUnretainedValue().serve() }
  return nil
}
